// Makes certificates, new ones in every test run.
#ifndef SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_
#define SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_

#include <openssl/types.h>

#include <memory>
#include <string>

#include "absl/time/time.h"

namespace slice {

// In PEM.
struct TestCertificate {
  std::string certificate;
  std::string private_key;
};

// A self-signed certificate for 127.0.0.1, its own authority. It is valid from
// half an hour ago to half an hour from now, for servers and for clients.
TestCertificate MakeTestCertificate();

// What TestAuthority signs.
struct TestSubject {
  // Subject alternative names as OpenSSL writes them: "IP:127.0.0.1,DNS:a".
  std::string names = "IP:127.0.0.1";
  absl::Duration begin = -absl::Minutes(30);  // from now
  absl::Duration end = absl::Minutes(30);     // from now
};

// An authority with a key of its own.
class TestAuthority {
 public:
  TestAuthority();
  ~TestAuthority();

  const std::string& certificate() const { return certificate_; }
  // A certificate with the next serial number: 1, 2, ...
  TestCertificate Sign(const TestSubject& subject);
  // A list that revokes the certificate with this number, in PEM.
  std::string Revoke(long serial) const;  // NOLINT: OpenSSL's type

 private:
  EVP_PKEY* key_;
  X509* own_;
  std::string certificate_;
  long last_serial_ = 0;  // NOLINT(google-runtime-int): OpenSSL's type
};

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_
