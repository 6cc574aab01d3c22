#include "server/transport/tls_material.h"

#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/certificate_file.h"
#include "common/files.h"
#include "common/openssl_types.h"
#include "common/status_macros.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

absl::Status FileError(const fs::path& file, const std::string& message) {
  return absl::InvalidArgumentError(absl::StrCat(file.string(), ": ", message));
}

absl::Status CheckKeyMode(const fs::path& file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0 || (status.st_mode & S_IROTH) == 0) {
    return absl::OkStatus();  // ReadFile tells what stat could not
  }
  return FileError(
      file, absl::StrFormat("everybody may read this key (mode %04o); run "
                            "chmod 640 on it",
                            status.st_mode & 07777));
}

absl::StatusOr<std::shared_ptr<const RevokedCertificates>> ReadRevoked(
    const fs::path& file, const std::string& authorities) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  auto revoked = RevokedCertificates::Parse(text, authorities);
  if (revoked.ok()) return revoked;
  return FileError(file, std::string(revoked.status().message()));
}

}  // namespace

absl::StatusOr<ClientCertificates> ParseClientCertificates(
    std::string_view name) {
  if (name == "none") return ClientCertificates::kNone;
  if (name == "request") return ClientCertificates::kRequest;
  if (name == "require") return ClientCertificates::kRequire;
  return absl::InvalidArgumentError(
      absl::StrCat("'", absl::string_view(name.data(), name.size()),
                   "' is none of none, request and require"));
}

absl::Status TlsOptions::Validate() const {
  if (cert.empty() != key.empty()) {
    return absl::InvalidArgumentError(
        cert.empty() ? "--tls-key: needs --tls-cert as well"
                     : "--tls-cert: needs --tls-key as well");
  }
  if (!enabled() && !client_ca.empty()) {
    return absl::InvalidArgumentError(
        "--tls-client-ca: needs --tls-cert and --tls-key as well");
  }
  if (client_ca.empty() && client_auth != ClientCertificates::kNone) {
    return absl::InvalidArgumentError(
        "--tls-client-auth: needs --tls-client-ca, the authorities that sign "
        "the clients");
  }
  if (client_auth == ClientCertificates::kNone && !client_ca.empty()) {
    return absl::InvalidArgumentError(
        "--tls-client-ca: needs --tls-client-auth request or require");
  }
  if (client_ca.empty() && !client_crl.empty()) {
    return absl::InvalidArgumentError(
        "--tls-client-crl: needs --tls-client-ca as well");
  }
  if (min_version == "1.2" || min_version == "1.3") return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--tls-min-version: '", min_version, "' is neither 1.2 nor 1.3"));
}

absl::StatusOr<TlsMaterial> ReadTlsMaterial(const TlsOptions& options,
                                            absl::Time now) {
  TlsMaterial material;
  SLICE_ASSIGN_OR_RETURN(material.cert, ReadFile(options.cert));
  SLICE_RETURN_IF_ERROR(CheckKeyMode(options.key));
  SLICE_ASSIGN_OR_RETURN(material.key, ReadFile(options.key));
  SLICE_ASSIGN_OR_RETURN(const Certificate certificate,
                         FirstCertificate({options.cert, material.cert}));
  SLICE_RETURN_IF_ERROR(CheckKeyFits({options.key, material.key},
                                     certificate.get(), options.cert));
  SLICE_RETURN_IF_ERROR(CheckDates(options.cert, certificate.get(), now));
  material.expiry = ExpiryOf(certificate.get());
  if (!options.client_ca.empty()) {
    SLICE_ASSIGN_OR_RETURN(material.client_ca, ReadFile(options.client_ca));
    SLICE_RETURN_IF_ERROR(
        FirstCertificate({options.client_ca, material.client_ca}).status());
    ForEachCertificate(material.client_ca, [&](X509* authority) {
      material.client_ca_expiry =
          std::min(material.client_ca_expiry, ExpiryOf(authority));
    });
  }
  if (!options.client_crl.empty()) {
    SLICE_ASSIGN_OR_RETURN(material.revoked,
                           ReadRevoked(options.client_crl, material.client_ca));
  }
  return material;
}

absl::Status RequireTls13() {
  constexpr char kConfig[] =
      "openssl_conf = init\n"
      "[init]\nssl_conf = modules\n"
      "[modules]\nsystem_default = contexts\n"
      "[contexts]\nProtocol = -TLSv1,-TLSv1.1,-TLSv1.2\n";
  const OpenSslConfig config(NCONF_new(nullptr));
  long line = 0;  // NOLINT(google-runtime-int): of OpenSSL's function
  if (config == nullptr ||
      NCONF_load_bio(config.get(), ReaderOf(kConfig).get(), &line) != 1 ||
      CONF_modules_load(config.get(), nullptr, 0) != 1) {
    return absl::InternalError(
        "--tls-min-version: OpenSSL does not take its configuration");
  }
  return absl::OkStatus();
}

}  // namespace slice
