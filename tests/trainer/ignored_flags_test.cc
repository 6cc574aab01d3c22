#include "trainer/ignored_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace slice {
namespace {

using ::testing::HasSubstr;

FitOptions Preset(const std::string& name) {
  FitOptions options;
  EXPECT_TRUE(options.ApplyPreset(name).ok());
  return options;
}

TEST(IgnoredFlagsTest, NamesThePresetThatIgnoresAFlag) {
  EXPECT_EQ(WhyIgnored(Preset("fast"), "max_context_nodes"),
            "preset fast trains the structural scorer alone");
  EXPECT_THAT(WhyIgnored(Preset("paper"), "structural-epochs"),
              HasSubstr("preset paper has no structural scorer"));
}

TEST(IgnoredFlagsTest, KnowsBothSpellings) {
  EXPECT_EQ(WhyIgnored(Preset("fast"), "learning_rate"),
            WhyIgnored(Preset("fast"), "learning-rate"));
  EXPECT_NE(WhyIgnored(Preset("fast"), "learning_rate"), "");
}

TEST(IgnoredFlagsTest, LetsFlagsThroughThatAPresetReads) {
  EXPECT_EQ(WhyIgnored(Preset("fast"), "structural-epochs"), "");
  EXPECT_EQ(WhyIgnored(Preset("fast"), "spectral_rank"), "");
  EXPECT_EQ(WhyIgnored(Preset("default"), "learning_rate"), "");
  EXPECT_EQ(WhyIgnored(Preset("default"), "max_context_nodes"), "");
  EXPECT_EQ(WhyIgnored(Preset("default"), "walk-length"), "");
  EXPECT_EQ(WhyIgnored(Preset("paper"), "projection"), "");
}

TEST(IgnoredFlagsTest, DependsOnTheOtherFlags) {
  FitOptions options = Preset("default");
  EXPECT_NE(WhyIgnored(options, "beam-width"), "");
  options.context.strategy = ContextStrategy::kRandomPaths;
  EXPECT_EQ(WhyIgnored(options, "beam-width"), "");
  EXPECT_EQ(WhyIgnored(options, "pretrain-walk"), "");
  options.pretrain_epochs = 0;
  EXPECT_NE(WhyIgnored(options, "pretrain-walk"), "");
}

}  // namespace
}  // namespace slice
