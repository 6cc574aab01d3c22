#include "common/signing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// The first test vector of RFC 8032, section 7.1, in PEM.
constexpr char kPrivate[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr char kPublic[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n";
constexpr char kSignatureOfNothing[] =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
// Of another key.
constexpr char kOther[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n"
    "-----END PUBLIC KEY-----\n";

class SigningTest : public ::testing::Test {
 protected:
  absl::StatusOr<VerifyingKeys> Keys(const std::string& text) {
    directory_.Write("keys.pem", text);
    return VerifyingKeys::Load(directory_ / "keys.pem");
  }
  absl::StatusOr<std::string> SignBy(const std::string& key,
                                     const std::string& message) {
    directory_.Write("key.pem", key);
    return Sign(message, directory_ / "key.pem");
  }

  const TempDirectory directory_;
};

TEST_F(SigningTest, AgreesWithTheVectorOfTheStandard) {
  const auto signature = SignBy(kPrivate, "");
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_EQ(absl::BytesToHexString(*signature), kSignatureOfNothing);
  EXPECT_TRUE(Keys(kPublic)->HaveSigned("", *signature));
}

TEST_F(SigningTest, OneOfSeveralKeysIsEnough) {
  const std::string signature = *SignBy(kPrivate, "message");
  const auto both = Keys(absl::StrCat(kOther, kPublic));
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_TRUE(both->HaveSigned("message", signature));
  EXPECT_FALSE(Keys(kOther)->HaveSigned("message", signature));
}

TEST_F(SigningTest, EveryOtherByteIsRefused) {
  const std::string signature = *SignBy(kPrivate, "message");
  const auto keys = Keys(kPublic);
  EXPECT_FALSE(keys->HaveSigned("massage", signature));
  EXPECT_FALSE(keys->HaveSigned("message", ""));
  EXPECT_FALSE(keys->HaveSigned("message", signature + "a"));
  for (size_t i = 0; i < signature.size(); ++i) {
    std::string changed = signature;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(keys->HaveSigned("message", changed)) << i;
  }
}

TEST_F(SigningTest, WrongFilesAreNamed) {
  for (const auto& [text, words] :
       {std::pair{"", "no public key"}, std::pair{"junk", "no public key"},
        std::pair{kPrivate, "holds a private key"}}) {
    const auto keys = Keys(text);
    EXPECT_EQ(keys.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(keys.status().message()), HasSubstr(words));
    EXPECT_THAT(std::string(keys.status().message()), HasSubstr("keys.pem"));
  }
  EXPECT_EQ(SignBy(kPublic, "").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(VerifyingKeys::Load(directory_ / "nowhere").ok());
}

}  // namespace
}  // namespace slice
