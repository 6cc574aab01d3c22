// Trains a bundle on most of a planted graph, and goes on from it when more
// links and nodes have come.
#include "trainer/fit/warm_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class WarmStartTest : public ::testing::Test {
 protected:
  // older.tsv has about nine tenths of the links, all.tsv all of them, in
  // another order, and nodes and a relation of its own.
  static void SetUpTestSuite() {
    directory_ = new TempDirectory;
    WritePlantedFiles(*directory_, 7);
    std::string older, all;
    int number = 0;
    for (const char* file : {"train.txt", "valid.txt", "test.txt"}) {
      const std::string text = *ReadFile(*directory_ / file);
      for (const absl::string_view line :
           absl::StrSplit(text, '\n', absl::SkipEmpty())) {
        const std::vector<std::string> row = absl::StrSplit(line, ' ');
        if (row.size() == 4 && row[3] == "0") continue;
        const std::string link =
            absl::StrCat(row[0], "\t", row[1], "\t", row[2], "\n");
        if (++number % 10 != 0) older += link;
        all.insert(0, link);
      }
    }
    for (int i = 0; i < 40; ++i) {
      absl::StrAppend(&all, "likes\tnew", i % 8, "\tn", i % 8 + 8 * (i / 8),
                      "\nmeets\tn", i, "\tn", (i * 7 + 4) % 120, "\n");
    }
    directory_->Write("older.tsv", older);
    directory_->Write("all.tsv", all);
    const absl::Status status = Fit(Options("older", "older.tsv"));
    ASSERT_TRUE(status.ok()) << status;
  }
  static void TearDownTestSuite() { delete directory_; }

  static FitOptions Options(const std::string& out, const std::string& links) {
    FitOptions options = BriefFitOptions();
    options.split.links = *directory_ / links;
    options.out = *directory_ / out;
    options.threads = 1;
    options.node2vec.dim = 16;
    options.node2vec.walks_per_node = 5;
    options.node2vec.walk_length = 20;
    options.structural_epochs = 4;
    options.fine_tune_epochs = 2;
    options.batch_size = 64;
    options.network.hidden_dim = 16;
    return options;
  }

  static FitOptions WarmOptions(const std::string& out) {
    FitOptions options = Options(out, "all.tsv");
    options.SetWarmStart(*directory_ / "older");
    options.structural_epochs = options.fine_tune_epochs = 1;
    return options;
  }

  static std::unique_ptr<OfflineModel> Open(const std::string& bundle) {
    auto model = OfflineModel::Open(*directory_ / bundle);
    EXPECT_TRUE(model.ok()) << model.status();
    return *std::move(model);
  }

  static TempDirectory* directory_;
};
TempDirectory* WarmStartTest::directory_ = nullptr;

TEST_F(WarmStartTest, GoesOnFromTheOlderBundle) {
  const FitOptions options = WarmOptions("warm");
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto older = Open("older"), warm = Open("warm");
  const BundleManifest& manifest = warm->bundle().manifest();
  EXPECT_EQ(manifest.warm_start, older->bundle().manifest().bundle_id);
  EXPECT_EQ(manifest.folds.count, 6);
  EXPECT_EQ(manifest.folds.seed, older->bundle().manifest().seed);
  EXPECT_GT(manifest.metrics.at("test.auroc"), 0.8);
  // A node that both know keeps its vector, but for one scale of all vectors.
  const NodeId before = *older->graph().names().FindKey("n5");
  const NodeId now = *warm->graph().names().FindKey("n5");
  const float* one = older->bundle().embeddings().data() + before * 16;
  const float* other = warm->bundle().embeddings().data() + now * 16;
  for (int k = 1; k < 16; ++k) {
    EXPECT_NEAR(other[k] / other[0], one[k] / one[0], 1e-3);
  }
}

// Counts the positives that the split of a training held out. None may be a
// train link of the bundle `older`.
size_t CountNew(const FitOptions& options, const OfflineModel& model) {
  const OfflineModel* const older = &model;
  size_t positives = 0;
  for (const char* file : {"split/valid.tsv", "split/test.tsv"}) {
    const std::string text = *ReadFile(options.WorkFile(file));
    for (const absl::string_view line :
         absl::StrSplit(text, '\n', absl::SkipEmpty())) {
      const std::vector<std::string> row = absl::StrSplit(line, '\t');
      if (row[3] != "1") continue;
      ++positives;
      const auto relation = older->graph().FindRelation(row[0]);
      const auto source = older->graph().names().FindKey(row[1]);
      const auto target = older->graph().names().FindKey(row[2]);
      if (!relation || !source || !target) continue;
      EXPECT_FALSE(older->graph().HasLink({*source, *relation, *target}))
          << line;
    }
  }
  return positives;
}

TEST_F(WarmStartTest, NoTrainLinkOfTheOlderBundleIsHeldOut) {
  FitOptions options = WarmOptions("split");
  options.last_step = FitStep::kEmbed;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_GT(CountNew(options, *Open("older")), 50u);
}

TEST_F(WarmStartTest, ATrainingFromScratchCanHoldOutTheSameLinks) {
  FitOptions options = Options("scratch", "all.tsv");
  options.new_to = *directory_ / "older";
  options.last_step = FitStep::kEmbed;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_GT(CountNew(options, *Open("older")), 50u);
  options.SetWarmStart(options.new_to);
  EXPECT_EQ(Fit(options).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(WarmStartTest, HeldOutFilesWithLearnedLinksAreRefused) {
  FitOptions options = WarmOptions("refused");
  options.split.links = "";
  options.train = *directory_ / "train.txt";
  options.valid = *directory_ / "valid.txt";
  options.test = *directory_ / "test.txt";
  const absl::Status status = Fit(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(),
              HasSubstr("are train links of the bundle of --warm-start"));
  EXPECT_FALSE(std::filesystem::exists(options.out));
}

TEST_F(WarmStartTest, OptionsThatDifferAreNamed) {
  const auto refusal = [](const FitOptions& options) {
    const absl::Status status = Fit(options);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  FitOptions options = WarmOptions("refused");
  options.folds = 5;
  EXPECT_THAT(refusal(options), HasSubstr("give --folds 6"));
  options = WarmOptions("refused");
  options.node2vec.dim = 32;
  EXPECT_THAT(refusal(options), HasSubstr("give --dim 16"));
  options = WarmOptions("refused");
  options.own_pair_links = OwnPairLinks::kReveal;
  EXPECT_THAT(refusal(options), HasSubstr("give --own-pair-links hide"));
  options = WarmOptions("refused");
  options.network.hidden_dim = 32;
  EXPECT_THAT(refusal(options), HasSubstr("embed_weight"));
  options = WarmOptions("refused");
  options.SetEmbeddings("random");
  EXPECT_THAT(refusal(options), HasSubstr("--embeddings"));
}

TEST_F(WarmStartTest, ABundleWithoutFoldsIsRefused) {
  const std::filesystem::path copy = *directory_ / "without_folds";
  std::filesystem::copy(*directory_ / "older", copy,
                        std::filesystem::copy_options::recursive);
  auto manifest = ManifestFromJson(*ReadFile(copy / "MANIFEST.json"));
  ASSERT_TRUE(manifest.ok());
  manifest->folds = {};
  std::filesystem::rename(copy, copy.string() + ".staging");
  ASSERT_TRUE(PublishBundle(copy.string() + ".staging", copy, *manifest).ok());
  const auto warm = WarmStart::Open(copy);
  EXPECT_EQ(warm.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(warm.status().message(), HasSubstr("without --warm-start"));
}

// The embeddings of the older bundle know no link of the held fold, and those
// of new nodes come from links outside it as well.
TEST_F(WarmStartTest, VectorsOfNewNodesAreMeansOfTheirNeighbours) {
  const auto warm = WarmStart::Open(*directory_ / "older");
  ASSERT_TRUE(warm.ok()) << warm.status();
  GraphData data = RebuildWithout(
      {(*warm)->graph().Catalogue(), AllLinks((*warm)->graph()), {}},
      [](const Link&) { return false; });
  const auto known = static_cast<NodeId>(data.catalogue.nodes.size());
  for (const char* key : {"near", "nearer", "alone"}) {
    data.catalogue.nodes.push_back({key, key, 0});
  }
  const auto find = [&](const char* key) {
    return *(*warm)->graph().names().FindKey(key);
  };
  data.links.push_back({known, 0, find("n1")});
  data.links.push_back({find("n2"), 0, known});
  data.links.push_back({known + 1, 0, known});
  WarmVectorCounts counts;
  const std::vector<float> vectors =
      (*warm)->VectorsFor(*BuildSnapshotOrDie(data), 16, &counts);
  EXPECT_EQ(counts.kept, size_t{known});
  EXPECT_EQ(counts.gathered, 2u);
  EXPECT_EQ(counts.filled, 1u);
  const auto at = [&](NodeId node, int k) { return vectors[node * 16 + k]; };
  std::vector<double> mean;
  double squares = 0;
  for (int k = 0; k < 16; ++k) {
    mean.push_back(at(find("n1"), k) + at(find("n2"), k));
    squares += double{at(known, k)} * at(known, k);
  }
  double length = 0;
  for (NodeId node = 0; node < known; ++node) {
    double sum = 0;
    for (int k = 0; k < 16; ++k) sum += double{at(node, k)} * at(node, k);
    length += std::sqrt(sum) / known;
  }
  EXPECT_NEAR(std::sqrt(squares), length, 1e-3);
  for (int k = 1; k < 16; ++k) {
    EXPECT_NEAR(at(known, k) / at(known, 0), mean[k] / mean[0], 1e-3);
    EXPECT_NEAR(at(known + 1, k), at(known, k), 1e-4);
  }
}

}  // namespace
}  // namespace slice
