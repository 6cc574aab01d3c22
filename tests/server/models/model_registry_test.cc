#include "server/models/model_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/fake_scorer.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kRequests = 4000;

std::shared_ptr<const ServedModel> Model(const std::string& name,
                                         const std::string& bundle) {
  auto made = std::const_pointer_cast<ServedModel>(
      MakeFakeModel(ToySnapshot(), name).served);
  made->manifest.bundle_id = bundle;
  return made;
}

class ModelRegistryTest : public ::testing::Test {
 protected:
  // Model m: version "old" is served, version "new" is tried.
  void Try(const Trial& trial, const std::string& candidate = "new") {
    ModelSet set;
    set.default_name = "m";
    ModelVersions versions;
    versions.serving = Model("m", "old");
    versions.candidate = Candidate{Model("m", candidate), trial};
    set.models["m"] = versions;
    registry_.Replace(std::move(set));
  }

  std::string Routed(uint64_t identity, uint64_t link) {
    return (*registry_.Route("", {identity, link}))->manifest.bundle_id;
  }

  ModelRegistry registry_{"m"};
};

TEST_F(ModelRegistryTest, NamesWhatItHas) {
  EXPECT_EQ(registry_.Find("").status().code(), absl::StatusCode::kUnavailable);
  registry_.Serve(Model("m", "1"));
  registry_.Serve(Model("n", "2"));
  EXPECT_EQ((*registry_.Find(""))->manifest.bundle_id, "1");
  EXPECT_EQ((*registry_.Find("n"))->manifest.bundle_id, "2");
  const absl::Status missing = registry_.Find("o").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("m, n"));
  registry_.Serve(Model("m", "3"));
  EXPECT_EQ((*registry_.Find("m"))->manifest.bundle_id, "3");
  registry_.Close();
  EXPECT_EQ(registry_.Find("m").status().code(),
            absl::StatusCode::kUnavailable);
}

// A caller who may ask only some models does not learn the names of others.
TEST_F(ModelRegistryTest, NamesOnlyWhatTheCallerMayAsk) {
  registry_.Serve(Model("m", "1"));
  registry_.Serve(Model("secret", "2"));
  const absl::Status found = registry_.Find("o", {"m", "gone"}).status();
  EXPECT_EQ(found.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(found.message()),
              AllOf(HasSubstr("the server has: m"), Not(HasSubstr("secret")),
                    Not(HasSubstr("gone"))));
  const absl::Status routed = registry_.Route("o", {}, {"m"}).status();
  EXPECT_EQ(routed, found);
}

TEST_F(ModelRegistryTest, ACanaryGetsItsShareOfTheIdentities) {
  for (const double share : {0.05, 0.5, 1.0}) {
    Try({TrialKind::kCanary, TrialBy::kIdentity, share});
    int chosen = 0;
    for (uint64_t id = 0; id < kRequests; ++id) {
      const std::string first = Routed(id, 1);
      EXPECT_EQ(Routed(id, 2), first);  // the link does not matter
      chosen += first == "new" ? 1 : 0;
    }
    // Six standard deviations of a binomial count.
    EXPECT_NEAR(chosen, share * kRequests,
                6 * std::sqrt(kRequests * share * (1 - share)) + 1e-9);
  }
}

TEST_F(ModelRegistryTest, ByLinkTheSameLinkAlwaysMeetsTheSameVersion) {
  Try({TrialKind::kCanary, TrialBy::kLink, 0.3});
  int chosen = 0;
  for (uint64_t link = 0; link < kRequests; ++link) {
    const std::string first = Routed(1, link);
    EXPECT_EQ(Routed(2, link), first);
    chosen += first == "new" ? 1 : 0;
  }
  EXPECT_NEAR(chosen, 0.3 * kRequests, 6 * std::sqrt(kRequests * 0.21));
}

TEST_F(ModelRegistryTest, ALargerShareKeepsThoseOfASmallerOne) {
  std::vector<uint64_t> chosen;
  Try({TrialKind::kCanary, TrialBy::kIdentity, 0.1});
  for (uint64_t id = 0; id < kRequests; ++id) {
    if (Routed(id, 0) == "new") chosen.push_back(id);
  }
  Try({TrialKind::kCanary, TrialBy::kIdentity, 0.2});
  for (const uint64_t id : chosen) EXPECT_EQ(Routed(id, 0), "new");
}

TEST_F(ModelRegistryTest, AnotherCandidateIsTriedOnOthers) {
  Try({TrialKind::kCanary, TrialBy::kIdentity, 0.5});
  std::map<uint64_t, bool> first;
  for (uint64_t id = 0; id < kRequests; ++id)
    first[id] = Routed(id, 0) == "new";
  Try({TrialKind::kCanary, TrialBy::kIdentity, 0.5}, "newer");
  int same = 0;
  for (uint64_t id = 0; id < kRequests; ++id) {
    same += (Routed(id, 0) == "newer") == first[id] ? 1 : 0;
  }
  EXPECT_NEAR(same, kRequests / 2, 6 * std::sqrt(kRequests * 0.25));
}

TEST_F(ModelRegistryTest, AShadowNeverAnswers) {
  Try({TrialKind::kShadow, TrialBy::kIdentity, 1.0});
  const auto serving = *registry_.Find("m");
  for (uint64_t id = 0; id < 100; ++id) {
    EXPECT_EQ(Routed(id, id), "old");
    EXPECT_EQ(registry_.ShadowOf(*serving, {id, id})->manifest.bundle_id,
              "new");
  }
  // A request that began before a swap has no shadow: it would be compared with
  // another version than the one that answered.
  EXPECT_EQ(registry_.ShadowOf(*Model("m", "old"), {}), nullptr);
  Try({TrialKind::kCanary, TrialBy::kIdentity, 1.0});
  EXPECT_EQ(registry_.ShadowOf(**registry_.Find("m"), {}), nullptr);
}

TEST_F(ModelRegistryTest, ReadersSeeAllOfAChangeOrNothing) {
  const auto set_of = [](const std::string& bundle) {
    ModelSet set;
    set.default_name = "a";
    for (const char* name : {"a", "b"}) {
      set.models[name].serving = Model(name, bundle);
    }
    return set;
  };
  const ModelSet sets[] = {set_of("0"), set_of("1")};
  registry_.Replace(sets[0]);
  std::atomic<bool> stop = false;
  std::atomic<int> mixed = 0, looks = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!stop.load()) {
        const auto seen = registry_.models();
        mixed += seen->models.at("a").serving->manifest.bundle_id !=
                         seen->models.at("b").serving->manifest.bundle_id
                     ? 1
                     : 0;
        ++looks;
      }
    });
  }
  for (int i = 0; i < 2000; ++i) registry_.Replace(sets[i % 2]);
  while (looks.load() == 0) std::this_thread::yield();
  stop = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(mixed.load(), 0);
}

}  // namespace
}  // namespace slice
