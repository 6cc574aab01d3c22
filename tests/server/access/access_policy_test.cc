#include "server/access/access_policy.h"

#include <string>
#include <utility>
#include <vector>

#include "common/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/access/access_config.h"
#include "server/rpc_method.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kPredict[] = "/slice.v1.LinkPredictionService/PredictLinks";
constexpr char kFindNodes[] = "/slice.v1.LinkPredictionService/FindNodes";
const absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);

absl::Status CheckMethod(const Caller& caller, std::string_view method) {
  return AccessPolicy::CheckRole(caller, RuleOf(method)->role,
                                 method.substr(1));
}

// Identities as a configuration file has them.
class AccessPolicyTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::vector<Identity>> Read(const std::string& yaml) {
    directory_.Write("i.yaml", yaml);
    const auto list = ReadConfigFile(directory_ / "i.yaml");
    if (!list.ok()) return list.status();
    return ReadIdentities(*list);
  }

  AccessPolicy Policy(const std::string& yaml,
                      std::optional<RoleSet> anonymous = std::nullopt) {
    auto identities = Read(yaml);
    EXPECT_TRUE(identities.ok()) << identities.status();
    auto policy = AccessPolicy::Create(*std::move(identities), anonymous);
    EXPECT_TRUE(policy.ok()) << policy.status();
    return *std::move(policy);
  }

  // The error of a file without its path.
  std::string ErrorOf(const std::string& yaml) {
    const absl::Status status = Read(yaml).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << yaml;
    const std::string message(status.message());
    const size_t path = (directory_ / "i.yaml").string().size();
    return message.substr(std::min(message.size(), path + 1));
  }

  const TempDirectory directory_;
};

std::string TokenYaml(const std::string& token) {
  return "- {name: shop, token-sha256: " + Sha256Bytes(token) +
         ", roles: [predict], expires: 2023-11-20}\n"
         "- {name: web, token-sha256: " +
         Sha256Bytes(token + "2") + ", roles: [predict]}\n";
}

ShownCredentials Token(std::string_view authorization, bool encrypted = true) {
  ShownCredentials shown;
  shown.authorization = authorization;
  shown.encrypted = encrypted;
  return shown;
}

TEST_F(AccessPolicyTest, ATokenIsAnIdentityUntilItExpires) {
  const AccessPolicy policy = Policy(TokenYaml("abc"));
  const absl::Time before = absl::FromUnixSeconds(1'700'000'000);
  const auto shop = policy.Identify(Token("Bearer abc"), before);
  ASSERT_TRUE(shop.ok()) << shop.status();
  EXPECT_EQ(shop->name, "shop");
  EXPECT_NE(shop->id, 0u);
  const auto late =
      policy.Identify(Token("Bearer abc"), before + absl::Hours(24 * 7));
  EXPECT_EQ(late.status().code(), absl::StatusCode::kUnauthenticated);
  EXPECT_THAT(std::string(late.status().message()),
              StartsWith("the token of 'shop' expired at 2023-11-20"));
  EXPECT_EQ(
      policy.Identify(Token("Bearer abc2"), before + absl::Hours(1e6))->name,
      "web");
}

TEST_F(AccessPolicyTest, AWrongTokenIsNobodyEvenOnTheLoopback) {
  const AccessPolicy policy = Policy(TokenYaml("abc"));
  for (const char* wrong :
       {"Bearer abd", "Bearer ", "abc", "Basic abc", "bearer abc"}) {
    ShownCredentials shown = Token(wrong);
    shown.local = true;
    const absl::Status status = policy.Identify(shown, kNow).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << wrong;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("abd")));
  }
}

TEST_F(AccessPolicyTest, ATokenInTheClearIsRefusedBeyondThisMachine) {
  const AccessPolicy policy = Policy(TokenYaml("abc"));
  ShownCredentials shown = Token("Bearer abc", /*encrypted=*/false);
  EXPECT_THAT(std::string(policy.Identify(shown, kNow).status().message()),
              StartsWith("a token was sent without TLS"));
  shown.local = true;
  EXPECT_TRUE(policy.Identify(shown, kNow).ok());
}

TEST_F(AccessPolicyTest, ACertificateIsAnIdentityByUriOrDnsName) {
  const AccessPolicy policy = Policy(
      "- {name: a, uri: spiffe://x/a, roles: [predict]}\n"
      "- {name: b, dns-name: [b.x, c.x], roles: [explore]}\n");
  ShownCredentials shown;
  shown.encrypted = true;
  shown.uris = {"spiffe://x/other", "spiffe://x/a"};
  EXPECT_EQ(policy.Identify(shown, kNow)->name, "a");
  shown.uris.clear();
  shown.dns_names = {"c.x"};
  EXPECT_EQ(policy.Identify(shown, kNow)->name, "b");
  shown.dns_names = {"d.x"};
  EXPECT_EQ(policy.Identify(shown, kNow)->name, "anonymous");
}

TEST_F(AccessPolicyTest, OnlyAProxyPassesSubjectsOn) {
  const AccessPolicy policy = Policy(
      "- {name: envoy, dns-name: e, proxy: true, subject-roles: [predict]}\n"
      "- {name: web, dns-name: w, roles: [predict]}\n"
      "- {name: alice, subject: alice@x, roles: [admin]}\n");
  ShownCredentials shown;
  shown.encrypted = true;
  shown.subject = "alice@x";
  EXPECT_EQ(policy.Identify(shown, kNow)->name, "anonymous");
  shown.dns_names = {"w"};
  EXPECT_EQ(policy.Identify(shown, kNow)->name, "web");
  shown.dns_names = {"e"};
  EXPECT_EQ(policy.Identify(shown, kNow)->name, "alice");
  shown.subject = "bob@x";
  const Caller bob = *policy.Identify(shown, kNow);
  EXPECT_EQ(bob.name, "subject:bob@x");
  EXPECT_TRUE(CheckMethod(bob, kPredict).ok());
  EXPECT_FALSE(CheckMethod(bob, kFindNodes).ok());
}

TEST_F(AccessPolicyTest, AnonymousCallersMayDoAllOnTheLoopbackOnly) {
  const AccessPolicy policy = Policy("");
  ShownCredentials shown;
  shown.local = true;
  EXPECT_TRUE(CheckMethod(*policy.Identify(shown, kNow), kPredict).ok());
  shown.local = false;
  const absl::Status status =
      CheckMethod(*policy.Identify(shown, kNow), kPredict);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated);
  const AccessPolicy explorers = Policy("", *ParseRoles("explore"));
  for (const bool local : {false, true}) {
    shown.local = local;
    const Caller caller = *explorers.Identify(shown, kNow);
    EXPECT_TRUE(CheckMethod(caller, kFindNodes).ok());
    EXPECT_FALSE(CheckMethod(caller, kPredict).ok());
  }
}

TEST_F(AccessPolicyTest, AMissingRoleIsNamed) {
  const AccessPolicy policy =
      Policy("- {name: a, uri: u, roles: [predict], models: [m]}\n");
  ShownCredentials shown;
  shown.uris = {"u"};
  const Caller caller = *policy.Identify(shown, kNow);
  const absl::Status status = CheckMethod(caller, kFindNodes);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(status.message(),
            "'a' may not call slice.v1.LinkPredictionService/FindNodes: it "
            "lacks the role 'explore'");
  EXPECT_TRUE(AccessPolicy::CheckModel(caller.identity.get(), "m").ok());
  EXPECT_EQ(AccessPolicy::CheckModel(caller.identity.get(), "n").code(),
            absl::StatusCode::kPermissionDenied);
}

TEST_F(AccessPolicyTest, EveryMethodOfTheServerHasARuleAndNoOther) {
  for (int i = 0; i < kRpcMethodCount; ++i) {
    const auto method = static_cast<RpcMethod>(i);
    const std::string name = "/" + std::string(RpcServiceName(method)) + "/" +
                             std::string(RpcMethodName(method));
    EXPECT_TRUE(RuleOf(name).has_value()) << name;
  }
  EXPECT_FALSE(RuleOf("/slice.v1.LinkPredictionService/Y").has_value());
}

TEST_F(AccessPolicyTest, TwoIdentitiesShareNothing) {
  for (const char* shared :
       {"- {name: a, uri: u}\n- {name: a, uri: v}\n",
        "- {name: a, uri: u}\n- {name: b, uri: u}\n",
        "- {name: a, subject: u}\n- {name: b, subject: u}\n"}) {
    const auto policy = AccessPolicy::Create(*Read(shared), std::nullopt);
    EXPECT_EQ(policy.status().code(), absl::StatusCode::kInvalidArgument)
        << shared;
  }
}

TEST_F(AccessPolicyTest, AWrongFileIsRefusedWithThePlace) {
  EXPECT_THAT(ErrorOf("- {name: a, uri: u, role: [predict]}\n"),
              StartsWith("1:21: an identity has no key 'role'; did you mean "
                         "'roles'"));
  EXPECT_THAT(ErrorOf("- {name: a, uri: u, roles: [predict, explor]}\n"),
              StartsWith("1:38: there is no role 'explor'; did you mean "
                         "'explore'"));
  EXPECT_THAT(ErrorOf("- {uri: u}\n"), HasSubstr("has no name"));
  EXPECT_THAT(ErrorOf("- {name: a}\n"), HasSubstr("to be known by"));
  EXPECT_THAT(ErrorOf("- {name: a b, uri: u}\n"), HasSubstr("is no name"));
  EXPECT_THAT(ErrorOf("- {name: anonymous, uri: u}\n"),
              HasSubstr("is no name"));
  EXPECT_THAT(ErrorOf("- {name: p, subject: s, proxy: true}\n"),
              HasSubstr("to be believed"));
  EXPECT_THAT(ErrorOf("- {name: a, uri: u, expires: tomorrow}\n"),
              HasSubstr("'tomorrow' is no time"));
  EXPECT_THAT(ErrorOf("name: a\n"), HasSubstr("a list is wanted"));
  const std::string plain =
      ErrorOf("- {name: a, token-sha256: hunter2-hunter2}\n");
  EXPECT_THAT(plain, HasSubstr("this is no SHA-256"));
  EXPECT_THAT(plain, Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace slice
