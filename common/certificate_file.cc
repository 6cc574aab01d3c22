#include "common/certificate_file.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <ctime>

#include "absl/strings/str_cat.h"

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

}  // namespace

absl::StatusOr<Certificate> FirstCertificate(const PemFile& file) {
  Certificate certificate(
      PEM_read_bio_X509(ReaderOf(file.text).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (certificate != nullptr) return certificate;
  return FileError(file.path, "holds no certificate in PEM");
}

absl::Status CheckDates(const fs::path& file, const X509* certificate,
                        absl::Time now) {
  const absl::Time begin = TimeOf(X509_get0_notBefore(certificate));
  const absl::Time end = ExpiryOf(certificate);
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

absl::Status CheckKeyFits(const PemFile& key, X509* certificate,
                          const fs::path& file) {
  const PrivateKey parsed(PEM_read_bio_PrivateKey(
      ReaderOf(key.text).get(), nullptr, NoPassphrase, nullptr));
  const bool fits = parsed != nullptr &&
                    X509_check_private_key(certificate, parsed.get()) == 1;
  ERR_clear_error();
  if (parsed == nullptr) {
    return FileError(key.path,
                     "holds no private key in PEM without a passphrase");
  }
  if (fits) return absl::OkStatus();
  return FileError(key.path,
                   absl::StrCat("the key does not belong to the certificate ",
                                file.string()));
}

absl::Time ExpiryOf(const X509* certificate) {
  return TimeOf(X509_get0_notAfter(certificate));
}

}  // namespace slice
