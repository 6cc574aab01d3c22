#include "server/models/model_deployment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "common/files.h"
#include "common/sha256.h"
#include "model/model_bundle.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Two bundles of one graph: "one" and "two".
class ModelDeploymentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_ = TestServerOptions();
    options_.data_dir = directory_ / "data";
    for (const char* name : {"one", "two"}) {
      const bool is_one = std::string(name) == "one";
      ASSERT_TRUE(
          WriteBundleFor(ToyGraph(),
                         ToyNetworkOptions(is_one ? "default" : "paper"),
                         directory_ / name, /*golden=*/true)
              .ok());
      (is_one ? one_ : two_) = IdOf(directory_ / name);
    }
    ASSERT_NE(one_, two_);
    Start();
    Apply({Source("one")});
  }

  void Start() {
    deployment_ = std::make_unique<ModelDeployment>(
        options_, &registry_,
        ModelSurroundings{.graphs = &graphs_, .trusted = trusted_.get()});
  }

  ModelSource Source(const std::string& bundle,
                     const std::string& name = "m") const {
    return {.name = name, .bundle = directory_ / bundle};
  }

  void Apply(const std::vector<ModelSource>& models) {
    const absl::Status applied = deployment_->Apply({models, models[0].name});
    ASSERT_TRUE(applied.ok()) << applied;
  }

  static std::string IdOf(const fs::path& bundle) {
    return ManifestFromJson(*ReadFile(bundle / "MANIFEST.json"))->bundle_id;
  }

  std::string Served(const std::string& name = "") {
    const auto found = registry_.Find(name);
    return found.ok() ? (*found)->manifest.bundle_id : "";
  }

  // What a failed change says; it must have changed nothing.
  std::string Refusal(const absl::Status& status, absl::StatusCode code) {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_EQ(Served(), one_);
    EXPECT_EQ(registry_.models()->models.size(), 1);
    return std::string(status.message());
  }

  // Changes a member and its digests, so that the bundle verifies.
  void Forge(const std::string& name, const std::string& member,
             const std::string& text) {
    const fs::path bundle = directory_ / name;
    ASSERT_TRUE(WriteFileAtomically(bundle / member, text).ok());
    auto manifest = *ManifestFromJson(*ReadFile(bundle / "MANIFEST.json"));
    manifest = *DescribeBundle(bundle, manifest);
    ASSERT_TRUE(
        WriteFileAtomically(bundle / "MANIFEST.json", ManifestToJson(manifest))
            .ok());
  }

  template <typename Holds>
  void WaitUntil(const Holds& holds) {
    while (!holds()) std::this_thread::yield();  // ctest's time limit ends it
  }

  const TempDirectory directory_;
  ServerOptions options_;
  ServedGraphs graphs_;
  std::unique_ptr<VerifyingKeys> trusted_;
  ModelRegistry registry_{"m"};
  std::unique_ptr<ModelDeployment> deployment_;
  std::string one_, two_;  // bundle ids
};

TEST_F(ModelDeploymentTest, ANewVersionReplacesTheOldAndRollsBack) {
  EXPECT_EQ(Served(), one_);
  ASSERT_TRUE(deployment_->Load(Source("two")).ok());
  EXPECT_EQ(Served(), two_);
  ASSERT_TRUE(deployment_->RollBack("m").ok());
  EXPECT_EQ(Served(), one_);
  ASSERT_TRUE(deployment_->RollBack("m").ok());
  EXPECT_EQ(Served(), two_);
  const LoadCounts counts = deployment_->load_counts().at("m");
  EXPECT_EQ(counts.loaded, 4);
  EXPECT_EQ(counts.failed, 0);
}

TEST_F(ModelDeploymentTest, AnOldVersionLivesUntilItsLastRequestEnds) {
  std::weak_ptr<const ServedModel> old = *registry_.Find("m");
  std::shared_ptr<const ServedModel> request = old.lock();
  ASSERT_TRUE(deployment_->Load(Source("two")).ok());
  EXPECT_EQ(deployment_->retired(), 1);
  EXPECT_EQ(request->manifest.bundle_id, one_);
  EXPECT_FALSE(old.expired());
  request.reset();
  WaitUntil([&] { return old.expired(); });
  EXPECT_EQ(deployment_->retired(), 0);
}

TEST_F(ModelDeploymentTest, VersionsOfAGraphShareItAndItClosesWithTheLast) {
  ASSERT_TRUE(deployment_->Load(Source("two", "n")).ok());
  const std::string digest = (*registry_.Find("m"))->manifest.graph_digest;
  EXPECT_EQ((*registry_.Find("m"))->graph, (*registry_.Find("n"))->graph);
  EXPECT_TRUE(graphs_.IsOpen(digest));
  registry_.Replace({});
  WaitUntil([&] { return !graphs_.IsOpen(digest); });
  EXPECT_TRUE(deployment_->Load(Source("one")).ok());
}

TEST_F(ModelDeploymentTest, WhatCannotBeLoadedChangesNothing) {
  EXPECT_THAT(Refusal(deployment_->Load(Source("nowhere")),
                      absl::StatusCode::kNotFound),
              HasSubstr("nowhere"));
  const std::string model = *ReadFile(directory_ / "two" / "model.pt");
  ASSERT_TRUE(WriteFileAtomically(directory_ / "two" / "model.pt",
                                  model.substr(0, model.size() - 1))
                  .ok());
  EXPECT_THAT(
      Refusal(deployment_->Load(Source("two")), absl::StatusCode::kDataLoss),
      HasSubstr("model.pt"));
  EXPECT_EQ(deployment_->load_counts().at("m").failed, 2);
  // Neither does a list of which one model cannot be loaded.
  Refusal(deployment_->Apply({{Source("one", "a"), Source("two", "b")}, "a"}),
          absl::StatusCode::kDataLoss);
}

TEST_F(ModelDeploymentTest, AVersionKeepsWhatItsGoldenLinksShowed) {
  const auto model = *registry_.Find("m");
  EXPECT_EQ(model->golden_links, kGoldenLinks);
  EXPECT_LE(model->golden_difference, GoldenTolerance(model->scorer->path()));
}

TEST_F(ModelDeploymentTest, OtherGoldenLinksAreRefused) {
  auto golden =
      nlohmann::json::parse(*ReadFile(directory_ / "two" / kGoldenLinksMember));
  golden["links"][5][3] = golden["links"][5][3].get<double>() + 0.01;
  Forge("two", kGoldenLinksMember, golden.dump());
  EXPECT_THAT(Refusal(deployment_->Load(Source("two")),
                      absl::StatusCode::kFailedPrecondition),
              HasSubstr("golden links otherwise"));
}

TEST_F(ModelDeploymentTest, AnotherFormatIsRefused) {
  auto manifest =
      nlohmann::json::parse(*ReadFile(directory_ / "two" / "MANIFEST.json"));
  manifest["format_version"] = 99;
  ASSERT_TRUE(WriteFileAtomically(directory_ / "two" / "MANIFEST.json",
                                  manifest.dump(2) + "\n")
                  .ok());
  EXPECT_THAT(Refusal(deployment_->Load(Source("two")),
                      absl::StatusCode::kFailedPrecondition),
              HasSubstr("99"));
}

TEST_F(ModelDeploymentTest, ABundleThatIsTooLargeIsRefusedWithBothFigures) {
  auto manifest =
      nlohmann::json::parse(*ReadFile(directory_ / "two" / "MANIFEST.json"));
  for (auto& member : manifest["members"]) {
    if (member["path"] == "embeddings.bin") member["size"] = uint64_t{1} << 50;
  }
  ASSERT_TRUE(WriteFileAtomically(directory_ / "two" / "MANIFEST.json",
                                  manifest.dump(2) + "\n")
                  .ok());
  EXPECT_THAT(Refusal(deployment_->Load(Source("two")),
                      absl::StatusCode::kResourceExhausted),
              ::testing::ContainsRegex(
                  "it needs about 10737.* MiB of memory, and [0-9]+ MiB"));
}

TEST_F(ModelDeploymentTest, ACandidateIsTriedAndPromotedOrDropped) {
  ModelSource source = Source("two");
  source.candidate =
      CandidateSource{source.bundle, {TrialKind::kCanary, TrialBy::kLink, 1}};
  ASSERT_TRUE(deployment_->Load(source).ok());
  EXPECT_EQ(Served(), one_);
  EXPECT_EQ((*registry_.Route("m", {}))->manifest.bundle_id, two_);
  ASSERT_TRUE(deployment_->DropCandidate("m").ok());
  EXPECT_EQ((*registry_.Route("m", {}))->manifest.bundle_id, one_);
  EXPECT_EQ(deployment_->DropCandidate("m").code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(deployment_->Promote("m").code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(deployment_->Load(source).ok());
  ASSERT_TRUE(deployment_->Promote("m").ok());
  EXPECT_EQ(Served(), two_);
  EXPECT_FALSE(registry_.HasCandidates());
  ASSERT_TRUE(deployment_->RollBack("m").ok());
  EXPECT_EQ(Served(), one_);
  source.name = "unknown";
  EXPECT_EQ(deployment_->Load(source).code(), absl::StatusCode::kNotFound);
}

TEST_F(ModelDeploymentTest, ModelsComeAndGo) {
  ASSERT_TRUE(deployment_->Load(Source("two", "n")).ok());
  EXPECT_EQ(Served("n"), two_);
  EXPECT_EQ(deployment_->Unload("m").code(),
            absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(deployment_->SetDefault("n").ok());
  EXPECT_EQ(Served(), two_);
  ASSERT_TRUE(deployment_->Unload("m").ok());
  EXPECT_EQ(Served("m"), "");
  const absl::Status unknown = deployment_->SetDefault("nn");
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("there is 'n'"));
  EXPECT_EQ(deployment_->RollBack("n").code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(ModelDeploymentTest, ApplyingTheSameListLoadsNothing) {
  const auto before = *registry_.Find("m");
  Apply({Source("one")});
  EXPECT_EQ(*registry_.Find("m"), before);
  EXPECT_EQ(deployment_->load_counts().at("m").loaded, 1);
  Apply({Source("one"), Source("two", "n")});
  EXPECT_EQ(*registry_.Find("m"), before);
  EXPECT_EQ(Served("n"), two_);
  Apply({Source("two", "n")});
  EXPECT_EQ(Served("m"), "");
}

TEST_F(ModelDeploymentTest, AWatchedLinkIsFollowed) {
  const fs::path current = directory_ / "current";
  fs::create_directory_symlink(directory_ / "one", current);
  ModelSource source = Source("current");
  source.watch = true;
  Apply({source});
  EXPECT_EQ(Served(), one_);
  fs::create_directory_symlink(directory_ / "two", directory_ / "next");
  fs::rename(directory_ / "next", current);  // atomic, as an operator should
  WaitUntil([&] { return Served() == two_; });
  // The change to two may still be under way.
  WaitUntil([&] { return deployment_->RollBack("m").ok(); });
  EXPECT_EQ(Served(), one_);  // and stays, for the link has not changed
  fs::remove(current);
  fs::create_directory_symlink(directory_ / "nowhere", current);
  EXPECT_EQ(Served(), one_);
}

// The manifest may come before the other files, and nothing tells that they
// have come.
TEST_F(ModelDeploymentTest, AWatchedBundleThatWasIncompleteIsTriedAgain) {
  const fs::path current = directory_ / "current";
  fs::create_directory_symlink(directory_ / "one", current);
  ModelSource source = Source("current");
  source.watch = true;
  Apply({source});
  std::string member;
  for (const auto& entry : fs::recursive_directory_iterator(directory_ / "two"))
    if (entry.path().extension() == ".bin") member = entry.path();
  ASSERT_FALSE(member.empty());
  fs::rename(member, directory_ / "later");
  fs::create_directory_symlink(directory_ / "two", directory_ / "next");
  fs::rename(directory_ / "next", current);
  WaitUntil([&] { return deployment_->load_counts().at("m").failed > 0; });
  EXPECT_EQ(Served(), one_);
  fs::rename(directory_ / "later", member);
  WaitUntil([&] { return Served() == two_; });
}

TEST_F(ModelDeploymentTest, OneChangeAtATime) {
  std::atomic<int> aborted = 0, done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int load = 0; load < 4; ++load) {
        const absl::Status loaded =
            deployment_->Load(Source(i % 2 == 0 ? "one" : "two"));
        EXPECT_TRUE(loaded.ok() || absl::IsAborted(loaded)) << loaded;
        ++(loaded.ok() ? done : aborted);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_GT(done.load(), 0);
  EXPECT_EQ(deployment_->load_counts().at("m").loaded,
            1 + static_cast<uint64_t>(done.load()));
  WaitUntil([&] { return deployment_->retired() == 0; });
}

TEST_F(ModelDeploymentTest, WithTrustedKeysAnUnsignedBundleIsRefused) {
  directory_.Write(
      "public.pem",
      "-----BEGIN PUBLIC KEY-----\n"
      "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
      "\n-----END PUBLIC KEY-----\n");
  auto keys = VerifyingKeys::Load(directory_ / "public.pem");
  ASSERT_TRUE(keys.ok()) << keys.status();
  trusted_ = std::make_unique<VerifyingKeys>(*std::move(keys));
  Start();
  EXPECT_THAT(Refusal(deployment_->Load(Source("two")),
                      absl::StatusCode::kFailedPrecondition),
              HasSubstr("it is not signed"));
}

}  // namespace
}  // namespace slice
