#include "trainer/fit_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<FitOptions> Parsed(std::vector<std::string> flags,
                                  const SweepCell& cell = {}) {
  flags.insert(flags.end(), {"--train", "t", "--valid", "v", "--test", "s"});
  return CellOptions(flags, cell, "out");
}

TEST(FitFlagsTest, WithoutFlagsTheDefaultsStay) {
  const auto options = Parsed({});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->train, "t");
  EXPECT_EQ(options->out, "out");
  EXPECT_EQ(options->preset, "default");
  EXPECT_EQ(options->seed, 1);
  EXPECT_EQ(options->spectral_rank, FitOptions::kRankBySize);
  EXPECT_EQ(options->embedding_source, EmbeddingSource::kNode2vec);
  EXPECT_TRUE(options->own_pair_auto);
  EXPECT_TRUE(options->knowledge);
  EXPECT_GT(options->walk_dim, 0);
  EXPECT_GT(options->hard_questions, 0);
}

TEST(FitFlagsTest, BothSpellingsAreOneFlag) {
  for (const std::string flag :
       {"--max-context-nodes", "--max_context_nodes"}) {
    const auto options = Parsed({flag, "7"});
    ASSERT_TRUE(options.ok()) << options.status();
    EXPECT_EQ(options->context.max_nodes, 7);
  }
}

TEST(FitFlagsTest, FlagsChangeThePresetWhereverItIs) {
  const auto options = Parsed({"--layers", "2", "--preset", "paper"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->preset, "paper");
  EXPECT_EQ(options->network.layers, 2);
  EXPECT_EQ(options->network.head, ScoreHead::kDot);
}

TEST(FitFlagsTest, ReadsListsAndNames) {
  const auto options = Parsed(
      {"--attribute_columns", "age,weight", "--own-pair-links", "reveal",
       "--context", "shortest", "--dim", "16", "--without-global-features"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_THAT(options->files.attribute_columns, ElementsAre("age", "weight"));
  EXPECT_EQ(options->own_pair_links, OwnPairLinks::kReveal);
  EXPECT_EQ(options->node2vec.dim, 16);
  EXPECT_EQ(options->embedding_source, EmbeddingSource::kRandom);
}

TEST(FitFlagsTest, ACellOfASweepAddsItsFlags) {
  const auto options =
      Parsed({"--layers", "2"}, {{"learning_rate", "0.5"}, {"heads", "8"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->network.layers, 2);
  EXPECT_EQ(options->network.heads, 8);
  EXPECT_EQ(options->fine_tune_learning_rate, 0.5);
}

TEST(FitFlagsTest, AWrongFlagOfACellNamesTheCell) {
  const auto options = Parsed({}, {{"leyers", "2"}});
  EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(options.status().message()), HasSubstr("leyers=2: "));
}

TEST(FitFlagsTest, AWrongNameIsRefusedWithItsFlag) {
  const auto options = Parsed({"--own_pair_links", "maybe"});
  EXPECT_THAT(std::string(options.status().message()),
              HasSubstr("--own-pair-links: "));
}

}  // namespace
}  // namespace slice
