// The certificate, the key and the authorities of a TLS listener, read from
// files and checked.
#ifndef SLICE_SERVER_TRANSPORT_TLS_MATERIAL_H_
#define SLICE_SERVER_TRANSPORT_TLS_MATERIAL_H_

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/transport/revoked_certificates.h"

namespace slice {

// Whether clients show certificates. One that is shown must be signed by an
// authority of TlsOptions::client_ca.
enum class ClientCertificates { kNone, kRequest, kRequire };

absl::StatusOr<ClientCertificates> ParseClientCertificates(
    std::string_view name);

// Files are in PEM. No TLS when `cert` is empty.
struct TlsOptions {
  std::filesystem::path cert = {};  // the chain, the server's own one first
  std::filesystem::path key = {};   // its private key, without a passphrase
  std::filesystem::path client_ca = {};  // authorities that sign clients
  std::filesystem::path client_crl =
      {};  // certificates they revoked; may be empty
  ClientCertificates client_auth = ClientCertificates::kNone;
  std::string min_version = "1.2";  // or "1.3"

  bool enabled() const { return !cert.empty(); }
  // INVALID_ARGUMENT for flags that contradict each other. Opens no file.
  absl::Status Validate() const;
};

// What the files of TlsOptions hold.
struct TlsMaterial {
  std::string cert;
  std::string key;
  std::string client_ca;
  std::shared_ptr<const RevokedCertificates> revoked;  // null: none
  absl::Time expiry;  // the end of the first certificate
  // The first end among the authorities; infinite without authorities.
  absl::Time client_ca_expiry = absl::InfiniteFuture();
};

// Reads the files. Every error names the file:
//   NOT_FOUND and other errors of ReadFile
//   INVALID_ARGUMENT  no PEM, a key that does not belong to the certificate or
//     that everybody may read, a certificate that is not valid at `now`
absl::StatusOr<TlsMaterial> ReadTlsMaterial(const TlsOptions& options,
                                            absl::Time now);

// From now on no TLS 1.2 in this process. gRPC 1.51 lets nobody choose the
// versions, but OpenSSL's own configuration binds gRPC, too. INTERNAL when
// OpenSSL refuses.
absl::Status RequireTls13();

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_TLS_MATERIAL_H_
