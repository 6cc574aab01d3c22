// Attributes of nodes, from files to a bundle. On a graph whose links follow
// from the attributes, the attributes must help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr int kNodes = 1500;
constexpr int kLinks = 1500;
constexpr int kCommunities = 3;

// Nodes of three communities. Links join nodes of one community, and are too
// few to predict each other. Two attributes predict them: a noisy point on a
// circle, with an angle for each community.
class AttributesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Random random(11);
    std::string nodes = "key\ttype\tname\tx\tnothing\ty\n";
    for (int i = 0; i < kNodes; ++i) {
      const double angle =
          2 * std::numbers::pi * (i % kCommunities) / kCommunities;
      const auto noise = [&] { return 0.3 * (random.Uniform() - 0.5); };
      absl::StrAppend(&nodes, "n", i, "\tthing\t\t",
                      100 + std::cos(angle) + noise(), "\t", random.Uniform(),
                      "\t", std::sin(angle) + noise(), "\n");
    }
    directory_.Write("nodes.tsv", nodes);
    std::string train;
    std::set<std::pair<int, int>> pairs;
    const auto draw_row = [&](bool together) {
      while (true) {
        const int a = Pick(random), b = Pick(random);
        if (a == b || (Community(a) == Community(b)) != together) continue;
        if (!pairs.emplace(std::min(a, b), std::max(a, b)).second) continue;
        return absl::StrCat("likes n", a, " n", b);
      }
    };
    for (int i = 0; i < kLinks; ++i)
      absl::StrAppend(&train, draw_row(true), "\n");
    directory_.Write("train.txt", train);
    for (const char* name : {"valid.txt", "test.txt"}) {
      std::string rows;
      for (int i = 0; i < 300; ++i)
        absl::StrAppend(&rows, draw_row(i % 2 == 0), " ", 1 - i % 2, "\n");
      directory_.Write(name, rows);
    }
  }

  static int Community(int node) { return node % kCommunities; }
  static int Pick(Random& random) {
    return static_cast<int>(random.Below(kNodes));
  }

  FitOptions Options(const char* out) const {
    FitOptions options = FitOptionsIn(directory_);
    options.nodes = directory_ / "nodes.tsv";
    options.out = directory_ / out;
    options.folds = 2;
    options.embedding_source = EmbeddingSource::kNone;
    options.structural_epochs = 1;
    options.pretrain_epochs = 1;
    options.fine_tune_epochs = 3;
    options.fine_tune_learning_rate = 5e-3;
    options.compare_pretraining = false;
    options.batch_size = 64;
    options.network.hidden_dim = 16;
    options.network.dropout = 0;
    return options;
  }

  static double TestAuroc(const FitOptions& options) {
    const absl::Status status = Fit(options);
    EXPECT_TRUE(status.ok()) << status;
    const auto bundle = ModelBundle::Open(options.out);
    EXPECT_TRUE(bundle.ok()) << bundle.status();
    return bundle.ok() ? (*bundle)->manifest().metrics.at("test.auroc") : 0;
  }

  TempDirectory directory_;
};

TEST_F(AttributesTest, TellWhatLinksDoNot) {
  const double without = TestAuroc(Options("without"));
  FitOptions options = Options("with");
  options.files.attribute_columns = {"x", "y"};
  const double with = TestAuroc(options);
  EXPECT_LT(without, 0.75);
  EXPECT_GT(with, 0.9);
}

TEST_F(AttributesTest, AreInTheBundleAndServedFromIt) {
  FitOptions options = Options("bundle");
  options.fine_tune_epochs = 1;
  options.files.attribute_columns = {"y", "nothing"};
  const double auroc = TestAuroc(options);
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  const BundleManifest& manifest = (*model)->bundle().manifest();
  ASSERT_EQ(manifest.attributes.size(), 2);
  EXPECT_EQ(manifest.attributes[1].name, "nothing");
  EXPECT_NEAR(manifest.attributes[1].mean, 0.5, 0.1);
  EXPECT_EQ(manifest.embedding_dim, 3);
  const auto labelled = ReadLabelledLinks(options.test, (*model)->graph());
  ASSERT_TRUE(labelled.ok()) << labelled.status();
  auto scored = ScoreSplit((*model)->scoring(), *labelled, KnownLinks(),
                           {.answering = manifest.reading.scorer,
                            .sets = {NegativeSet::kPublished}});
  ASSERT_TRUE(scored.ok()) << scored.status();
  ReadAnswers(manifest.reading, *scored);
  const size_t plausible = static_cast<size_t>(Question::kPlausible);
  EXPECT_NEAR(Auroc(scored->answers[plausible], scored->links.labels), auroc,
              1e-6);
}

TEST_F(AttributesTest, FastPresetLeavesThemAlone) {
  FitOptions options = Options("bundle");
  ASSERT_TRUE(options.ApplyPreset("fast").ok());
  options.structural_epochs = 1;
  options.files.attribute_columns = {"x", "y"};
  EXPECT_GT(TestAuroc(options), 0);
}

TEST_F(AttributesTest, OtherValuesAreOtherEmbeddings) {
  FitOptions options = Options("bundle");
  options.last_step = FitStep::kEmbed;
  options.files.attribute_columns = {"x"};
  ASSERT_TRUE(Fit(options).ok());
  const auto table = [&] {
    return *EmbeddingTable::Open(directory_ / "bundle.work/embeddings.bin");
  };
  EXPECT_EQ(table()->dim(), 2);
  const float first = table()->data()[1];
  options.files.attribute_columns = {"y"};
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_NE(table()->data()[1], first);
  options.files.attribute_columns = {"z"};
  const absl::Status status = Fit(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("nodes.tsv:1:1: there is no attribute column \"z\""));
}

}  // namespace
}  // namespace slice
