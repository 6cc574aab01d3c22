// Checks of certificates and keys in PEM files (RFC 7468). Errors name the
// file.
#ifndef SLICE_COMMON_CERTIFICATE_FILE_H_
#define SLICE_COMMON_CERTIFICATE_FILE_H_

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/openssl_types.h"

namespace slice {

// A PEM file that was read already.
struct PemFile {
  std::filesystem::path path;
  std::string text;
};

// The first certificate of the file. INVALID_ARGUMENT when it has none.
absl::StatusOr<Certificate> FirstCertificate(const PemFile& file);

// INVALID_ARGUMENT when `certificate`, which is from `file`, is not valid at
// `now`.
absl::Status CheckDates(const std::filesystem::path& file,
                        const X509* certificate, absl::Time now);

// INVALID_ARGUMENT when `key` holds no private key without a passphrase, or one
// that does not belong to `certificate`, which is from `file`.
absl::Status CheckKeyFits(const PemFile& key, X509* certificate,
                          const std::filesystem::path& file);

// The end of the certificate's validity.
absl::Time ExpiryOf(const X509* certificate);

}  // namespace slice

#endif  // SLICE_COMMON_CERTIFICATE_FILE_H_
