// A self-signed certificate for 127.0.0.1, made anew for every test run.
#ifndef SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_
#define SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_

#include <string>

namespace slice {

// PEM texts; the certificate is its own authority.
struct TestCertificate {
  std::string certificate;
  std::string private_key;
};

// Valid for an hour around now, for servers and clients alike.
TestCertificate MakeTestCertificate();

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TEST_CERTIFICATE_H_
