#include "server/transport/tls_material.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/transport/tls_certificates.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/test_certificate.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class TlsMaterialTest : public ::testing::Test {
 protected:
  TlsMaterialTest() { Write(authority_.Sign({})); }

  void Write(const TestCertificate& certificate) {
    directory_.Write("cert.pem", certificate.certificate);
    directory_.Write("key.pem", certificate.private_key);
    chmod((directory_ / "key.pem").c_str(), 0640);
    directory_.Write("ca.pem", authority_.certificate());
    directory_.Write("crl.pem", authority_.Revoke(1));
  }

  TlsOptions Options() const {
    return {.cert = directory_ / "cert.pem",
            .key = directory_ / "key.pem",
            .client_ca = directory_ / "ca.pem",
            .client_crl = directory_ / "crl.pem",
            .client_auth = ClientCertificates::kRequest};
  }

  std::string Error() const {
    const auto material = ReadTlsMaterial(Options(), absl::Now());
    EXPECT_FALSE(material.ok());
    return std::string(material.status().message());
  }

  const TempDirectory directory_;
  TestAuthority authority_;
};

TEST_F(TlsMaterialTest, ReadsWhatFitsTogether) {
  const auto material = ReadTlsMaterial(Options(), absl::Now());
  ASSERT_TRUE(material.ok()) << material.status();
  EXPECT_GT(material->expiry, absl::Now() + absl::Minutes(29));
  EXPECT_LT(material->expiry, absl::Now() + absl::Minutes(31));
  EXPECT_EQ(material->client_ca, authority_.certificate());
}

TEST_F(TlsMaterialTest, TheFirstEndOfAnAuthorityIsKnown) {
  directory_.Write("ca.pem",
                   authority_.certificate() +
                       authority_.Sign({.end = absl::Minutes(10)}).certificate);
  const auto material = ReadTlsMaterial(Options(), absl::Now());
  ASSERT_TRUE(material.ok()) << material.status();
  EXPECT_GT(material->client_ca_expiry, absl::Now() + absl::Minutes(9));
  EXPECT_LT(material->client_ca_expiry, absl::Now() + absl::Minutes(11));
}

TEST_F(TlsMaterialTest, WithoutAuthoritiesNothingEnds) {
  TlsOptions options = Options();
  options.client_ca = options.client_crl = "";
  const auto material = ReadTlsMaterial(options, absl::Now());
  ASSERT_TRUE(material.ok()) << material.status();
  EXPECT_EQ(material->client_ca_expiry, absl::InfiniteFuture());
}

TEST_F(TlsMaterialTest, NamesTheFileThatIsWrong) {
  chmod((directory_ / "key.pem").c_str(), 0644);
  EXPECT_THAT(Error(), HasSubstr("key.pem: everybody may read this key (mode "
                                 "0644); run chmod 640 on it"));
  directory_.Write("key.pem", authority_.Sign({}).private_key);
  chmod((directory_ / "key.pem").c_str(), 0600);
  EXPECT_THAT(Error(), HasSubstr("key.pem: the key does not belong to the "
                                 "certificate "));
  directory_.Write("key.pem", "x");
  EXPECT_THAT(Error(), HasSubstr("key.pem: holds no private key"));
  Write(authority_.Sign({}));
  directory_.Write("cert.pem", "");
  EXPECT_THAT(Error(), HasSubstr("cert.pem: holds no certificate in PEM"));
  Write(authority_.Sign({}));
  directory_.Write("crl.pem", authority_.certificate());
  EXPECT_THAT(Error(), HasSubstr("crl.pem: holds no list of revoked"));
  Write(authority_.Sign({}));
  directory_.Write("crl.pem", TestAuthority().Revoke(1));
  EXPECT_THAT(Error(), HasSubstr("crl.pem: no authority of --tls-client-ca has "
                                 "signed this list"));
  std::filesystem::remove(directory_ / "ca.pem");
  EXPECT_THAT(Error(), HasSubstr("ca.pem"));
}

TEST_F(TlsMaterialTest, RefusesACertificateOutOfItsTime) {
  Write(authority_.Sign({.end = -absl::Minutes(1)}));
  EXPECT_THAT(Error(), HasSubstr("cert.pem: the certificate expired at "));
  Write(authority_.Sign({.begin = absl::Minutes(1)}));
  EXPECT_THAT(Error(), HasSubstr("cert.pem: the certificate is not valid "
                                 "before "));
}

TEST_F(TlsMaterialTest, FlagsThatContradictEachOtherAreNamed) {
  const auto error = [](const TlsOptions& options) {
    return std::string(options.Validate().message());
  };
  EXPECT_EQ(error({}), "");
  EXPECT_EQ(error(Options()), "");
  EXPECT_THAT(error({.cert = "c"}), HasSubstr("--tls-cert: needs --tls-key"));
  EXPECT_THAT(error({.key = "k"}), HasSubstr("--tls-key: needs --tls-cert"));
  EXPECT_THAT(error({.client_ca = "c"}), HasSubstr("--tls-client-ca: needs"));
  EXPECT_THAT(error({.cert = "c",
                     .key = "k",
                     .client_auth = ClientCertificates::kRequire}),
              HasSubstr("--tls-client-auth: needs --tls-client-ca"));
  EXPECT_THAT(error({.cert = "c", .key = "k", .client_ca = "c"}),
              HasSubstr("--tls-client-ca: needs --tls-client-auth"));
  EXPECT_THAT(error({.cert = "c", .key = "k", .client_crl = "c"}),
              HasSubstr("--tls-client-crl: needs --tls-client-ca"));
}

TEST_F(TlsMaterialTest, ChangedFilesAreReadAgainAndWrongOnesChangeNothing) {
  auto certificates = TlsCertificates::Load(Options(), Clock::Real());
  ASSERT_TRUE(certificates.ok()) << certificates.status();
  const auto first = (*certificates)->Current();
  EXPECT_TRUE((*certificates)->Refresh().ok());
  EXPECT_EQ((*certificates)->Current(), first);
  // A certificate without its key, as between two copies of a rotation.
  const TestCertificate next = authority_.Sign({});
  directory_.Write("cert.pem", next.certificate);
  EXPECT_FALSE((*certificates)->Refresh().ok());
  EXPECT_EQ((*certificates)->failures(), 0u);  // the key may come
  EXPECT_FALSE((*certificates)->Refresh().ok());
  EXPECT_EQ((*certificates)->failures(), 1u);
  EXPECT_EQ((*certificates)->Current(), first);
  directory_.Write("key.pem", next.private_key);
  EXPECT_TRUE((*certificates)->Refresh().ok());
  EXPECT_EQ((*certificates)->Current()->cert, next.certificate);
  EXPECT_EQ((*certificates)->reloads(), 1u);
}

}  // namespace
}  // namespace slice
