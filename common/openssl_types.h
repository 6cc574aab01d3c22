// Owners of OpenSSL's objects, and readers of PEM texts.
#ifndef SLICE_COMMON_OPENSSL_TYPES_H_
#define SLICE_COMMON_OPENSSL_TYPES_H_

#include <openssl/bio.h>
#include <openssl/conf.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <string_view>

namespace slice {

template <auto kFree>
struct OpenSslFree {
  template <typename T>
  void operator()(T* value) const {
    kFree(value);
  }
};
using Bio = std::unique_ptr<BIO, OpenSslFree<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, OpenSslFree<X509_free>>;
using RevocationList = std::unique_ptr<X509_CRL, OpenSslFree<X509_CRL_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, OpenSslFree<EVP_PKEY_free>>;
using OpenSslConfig = std::unique_ptr<CONF, OpenSslFree<NCONF_free>>;

// Reads `text`, which must outlive the BIO.
inline Bio ReaderOf(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Calls take(certificate) for each certificate of a PEM text.
template <typename Take>
void ForEachCertificate(std::string_view pem, const Take& take) {
  const Bio reader = ReaderOf(pem);
  while (const Certificate certificate{
      PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr)}) {
    take(certificate.get());
  }
  ERR_clear_error();  // of the end of the text
}

}  // namespace slice

#endif  // SLICE_COMMON_OPENSSL_TYPES_H_
