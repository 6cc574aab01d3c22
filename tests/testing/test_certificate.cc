#include "tests/testing/test_certificate.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace slice {
namespace {

using Long = long;  // NOLINT(google-runtime-int): OpenSSL's type

void AddExtension(X509* certificate, int kind, const std::string& value) {
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)>
      extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()),
                &X509_EXTENSION_free);
  X509_add_ext(certificate, extension.get(), -1);
}

// What `write` writes into a BIO.
template <typename Write>
std::string Pem(const Write& write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()),
                                                      &BIO_free);
  write(bio.get());
  const char* bytes = nullptr;
  const Long size = BIO_get_mem_data(bio.get(), &bytes);
  return std::string(bytes, static_cast<size_t>(size));
}

std::string CertificatePem(X509* certificate) {
  return Pem([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
}

std::string KeyPem(EVP_PKEY* key) {
  return Pem([&](BIO* bio) {
    PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

// A certificate for `key`, without extensions and not signed yet.
X509* NewCertificate(const TestSubject& subject, const std::string& name,
                     Long serial, EVP_PKEY* key) {
  X509* const certificate = X509_new();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate),
                  absl::ToInt64Seconds(subject.begin));
  X509_gmtime_adj(X509_getm_notAfter(certificate),
                  absl::ToInt64Seconds(subject.end));
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(
      X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
      reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return certificate;
}

}  // namespace

TestCertificate MakeTestCertificate() {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = NewCertificate({}, "slice test", 1, key);
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  AddExtension(certificate, NID_subject_alt_name, "IP:127.0.0.1");
  AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  X509_sign(certificate, key, EVP_sha256());
  TestCertificate made = {CertificatePem(certificate), KeyPem(key)};
  X509_free(certificate);
  EVP_PKEY_free(key);
  return made;
}

TestAuthority::TestAuthority()
    : key_(EVP_EC_gen("P-256")),
      own_(NewCertificate({}, "slice test authority", 1, key_)) {
  X509_set_issuer_name(own_, X509_get_subject_name(own_));
  AddExtension(own_, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(own_, NID_key_usage, "critical,keyCertSign,cRLSign");
  X509_sign(own_, key_, EVP_sha256());
  certificate_ = CertificatePem(own_);
}

TestAuthority::~TestAuthority() {
  X509_free(own_);
  EVP_PKEY_free(key_);
}

TestCertificate TestAuthority::Sign(const TestSubject& subject) {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate =
      NewCertificate(subject, "slice test subject", ++last_serial_, key);
  X509_set_issuer_name(certificate, X509_get_subject_name(own_));
  AddExtension(certificate, NID_subject_alt_name, subject.names);
  X509_sign(certificate, key_, EVP_sha256());
  TestCertificate made = {CertificatePem(certificate), KeyPem(key)};
  X509_free(certificate);
  EVP_PKEY_free(key);
  return made;
}

std::string TestAuthority::Revoke(Long serial) const {
  X509_CRL* const list = X509_CRL_new();
  X509_CRL_set_version(list, X509_CRL_VERSION_2);
  X509_CRL_set_issuer_name(list, X509_get_subject_name(own_));
  ASN1_TIME* const now = X509_gmtime_adj(nullptr, 0);
  X509_CRL_set1_lastUpdate(list, now);
  X509_REVOKED* const revoked = X509_REVOKED_new();
  ASN1_INTEGER* const number = ASN1_INTEGER_new();
  ASN1_INTEGER_set(number, serial);
  X509_REVOKED_set_serialNumber(revoked, number);
  X509_REVOKED_set_revocationDate(revoked, now);
  X509_CRL_add0_revoked(list, revoked);
  ASN1_TIME* const later = X509_gmtime_adj(nullptr, 3600);
  X509_CRL_set1_nextUpdate(list, later);
  X509_CRL_sign(list, key_, EVP_sha256());
  std::string pem = Pem([&](BIO* bio) { PEM_write_bio_X509_CRL(bio, list); });
  ASN1_INTEGER_free(number);
  ASN1_TIME_free(now);
  ASN1_TIME_free(later);
  X509_CRL_free(list);
  return pem;
}

}  // namespace slice
