#include "server/transport/tls_material.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <ctime>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "server/transport/openssl_types.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

absl::Status FileError(const fs::path& file, const std::string& message) {
  return absl::InvalidArgumentError(absl::StrCat(file.string(), ": ", message));
}

// A key that needs a passphrase has none: nobody is there to type it.
int NoPassphrase(char*, int, int, void*) { return -1; }

absl::Time TimeOf(const ASN1_TIME* time) {
  std::tm parts = {};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return absl::InfinitePast();
  return absl::FromTM(parts, absl::UTCTimeZone());
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

absl::StatusOr<Certificate> FirstCertificate(const fs::path& file,
                                             const std::string& text) {
  Certificate certificate(
      PEM_read_bio_X509(ReaderOf(text).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (certificate != nullptr) return certificate;
  return FileError(file, "holds no certificate in PEM");
}

absl::Status CheckDates(const fs::path& file, const X509* certificate,
                        absl::Time now) {
  const absl::Time begin = TimeOf(X509_get0_notBefore(certificate));
  const absl::Time end = TimeOf(X509_get0_notAfter(certificate));
  if (end <= now) {
    return FileError(file, "the certificate expired at " +
                               absl::FormatTime(end, absl::UTCTimeZone()));
  }
  if (begin > now) {
    return FileError(file, "the certificate is not valid before " +
                               absl::FormatTime(begin, absl::UTCTimeZone()));
  }
  return absl::OkStatus();
}

absl::Status CheckKey(const TlsOptions& options, const std::string& text,
                      X509* certificate) {
  const PrivateKey key(PEM_read_bio_PrivateKey(ReaderOf(text).get(), nullptr,
                                               NoPassphrase, nullptr));
  const bool fits =
      key != nullptr && X509_check_private_key(certificate, key.get()) == 1;
  ERR_clear_error();
  if (key == nullptr) {
    return FileError(options.key,
                     "holds no private key in PEM without a passphrase");
  }
  if (fits) return absl::OkStatus();
  return FileError(options.key,
                   absl::StrCat("the key does not belong to the certificate ",
                                options.cert.string()));
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
                         FirstCertificate(options.cert, material.cert));
  SLICE_RETURN_IF_ERROR(CheckKey(options, material.key, certificate.get()));
  SLICE_RETURN_IF_ERROR(CheckDates(options.cert, certificate.get(), now));
  material.expiry = TimeOf(X509_get0_notAfter(certificate.get()));
  if (!options.client_ca.empty()) {
    SLICE_ASSIGN_OR_RETURN(material.client_ca, ReadFile(options.client_ca));
    SLICE_RETURN_IF_ERROR(
        FirstCertificate(options.client_ca, material.client_ca).status());
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
