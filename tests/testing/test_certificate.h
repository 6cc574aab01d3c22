// Makes a self-signed certificate for 127.0.0.1, a new one in every test run.
#ifndef SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_
#define SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_

#include <string>

namespace slice {

// In PEM. The certificate is its own authority.
struct TestCertificate {
  std::string certificate;
  std::string private_key;
};

// The certificate is valid from half an hour ago to half an hour from now, for
// servers and for clients.
TestCertificate MakeTestCertificate();

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_
