#include "server/transport/revoked_certificates.h"

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "common/openssl_types.h"
#include "common/random.h"

namespace slice {
namespace {

// Beyond this many certificates the findings are forgotten.
constexpr size_t kMostFound = 4096;

std::string SerialText(const ASN1_INTEGER* serial) {
  BIGNUM* const number = ASN1_INTEGER_to_BN(serial, nullptr);
  char* const text = BN_bn2hex(number);
  std::string copy = text == nullptr ? "" : text;
  OPENSSL_free(text);
  BN_free(number);
  return copy;
}

bool IsSignedByOneOf(X509_CRL* list, const std::string& authorities) {
  const Bio reader = ReaderOf(authorities);
  while (const Certificate authority{
      PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr)}) {
    const PrivateKey key(X509_get_pubkey(authority.get()));
    if (key != nullptr && X509_CRL_verify(list, key.get()) == 1) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const RevokedCertificates>>
RevokedCertificates::Parse(const std::string& list,
                           const std::string& authorities) {
  const RevocationList parsed(
      PEM_read_bio_X509_CRL(ReaderOf(list).get(), nullptr, nullptr, nullptr));
  const bool is_signed =
      parsed != nullptr && IsSignedByOneOf(parsed.get(), authorities);
  ERR_clear_error();
  if (parsed == nullptr) {
    return absl::InvalidArgumentError(
        "holds no list of revoked certificates in PEM");
  }
  if (!is_signed) {
    return absl::InvalidArgumentError(
        "no authority of --tls-client-ca has signed this list");
  }
  std::shared_ptr<RevokedCertificates> revoked(new RevokedCertificates());
  const STACK_OF(X509_REVOKED)* const entries =
      X509_CRL_get_REVOKED(parsed.get());
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i) {
    revoked->serials_.insert(SerialText(
        X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, i))));
  }
  return revoked;
}

bool RevokedCertificates::Has(std::string_view certificate) const {
  const uint64_t hash = HashBytes(certificate);
  {
    MutexLock lock(&mutex_);
    const auto before = found_.find(hash);
    if (before != found_.end()) return before->second;
  }
  const Certificate parsed(PEM_read_bio_X509(ReaderOf(certificate).get(),
                                             nullptr, nullptr, nullptr));
  ERR_clear_error();
  const bool revoked =
      parsed == nullptr ||
      serials_.contains(SerialText(X509_get0_serialNumber(parsed.get())));
  MutexLock lock(&mutex_);
  if (found_.size() >= kMostFound) found_.clear();
  found_[hash] = revoked;
  return revoked;
}

}  // namespace slice
