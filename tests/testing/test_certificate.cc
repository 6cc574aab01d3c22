#include "tests/testing/test_certificate.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace slice {
namespace {

constexpr long kValidSeconds = 1800;

std::string TextOf(BIO* bio) {
  const char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return std::string(bytes, static_cast<size_t>(size));
}

void AddExtension(X509* certificate, int kind, const char* value) {
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)>
      extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value),
                &X509_EXTENSION_free);
  X509_add_ext(certificate, extension.get(), -1);
}

}  // namespace

TestCertificate MakeTestCertificate() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(),
                                                                &X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kValidSeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kValidSeconds);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(
      name, "CN", MBSTRING_ASC,
      reinterpret_cast<const unsigned char*>("slice test"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  AddExtension(certificate.get(), NID_subject_alt_name, "IP:127.0.0.1");
  AddExtension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  X509_sign(certificate.get(), key.get(), EVP_sha256());

  const std::unique_ptr<BIO, decltype(&BIO_free)> certificate_pem(
      BIO_new(BIO_s_mem()), &BIO_free);
  const std::unique_ptr<BIO, decltype(&BIO_free)> key_pem(BIO_new(BIO_s_mem()),
                                                          &BIO_free);
  PEM_write_bio_X509(certificate_pem.get(), certificate.get());
  PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0,
                           nullptr, nullptr);
  return {TextOf(certificate_pem.get()), TextOf(key_pem.get())};
}

}  // namespace slice
