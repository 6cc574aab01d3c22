#include "model/torch/network_definition.h"

#include <gtest/gtest.h>

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/network_options.h"

namespace slice {
namespace {

NetworkOptions WithGraph(NetworkOptions options) {
  options.relation_count = 3;
  options.pair_features = options.head == ScoreHead::kDot ? 0 : 10;
  return options;
}

TEST(NetworkDefinitionTest, SourceReadsEveryParameterAndNoOther) {
  for (const char* preset : {"default", "paper"}) {
    const NetworkOptions options = WithGraph(*NetworkPreset(preset));
    const std::string source = NetworkSource(options);
    std::set<std::string> names;
    for (const ParameterSpec& spec : NetworkParameters(options)) {
      EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
      EXPECT_TRUE(absl::StrContains(source, absl::StrCat("self.", spec.name)))
          << preset << " never reads " << spec.name;
    }
  }
}

TEST(NetworkDefinitionTest, PaperPresetHasThePapersSizes) {
  const NetworkOptions paper = *NetworkPreset("paper");
  EXPECT_EQ(paper.layers, 4);
  EXPECT_EQ(paper.heads, 4);
  EXPECT_EQ(paper.head_dim, 64);
  EXPECT_EQ(paper.feed_forward_dim, 512);
  EXPECT_EQ(paper.head, ScoreHead::kDot);
}

TEST(NetworkDefinitionTest, NumbersAreFloatsInTheSource) {
  NetworkOptions options = WithGraph(*NetworkPreset("default"));
  options.dropout = 0;
  options.head_dim = 1;  // scores are scaled by 1
  const std::string source = NetworkSource(options);
  EXPECT_TRUE(absl::StrContains(source, "torch.dropout(o, 0.0, "));
  EXPECT_TRUE(absl::StrContains(source, "* 1.0 + bias"));
}

TEST(NetworkDefinitionTest, UnknownPresetIsNamed) {
  const auto preset = NetworkPreset("huge");
  EXPECT_EQ(preset.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(preset.status().message(), "'huge'"));
}

TEST(NetworkDefinitionTest, OutOfRangeFieldsAreNamed) {
  NetworkOptions options = WithGraph(*NetworkPreset("default"));
  EXPECT_TRUE(options.Validate().ok());
  options.layers = 9;
  EXPECT_EQ(options.Validate().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(options.Validate().message(), "layers is 9"));
  options.layers = 1;
  options.relation_count = 0;
  EXPECT_TRUE(
      absl::StrContains(options.Validate().message(), "relation_count is 0"));
}

}  // namespace
}  // namespace slice
