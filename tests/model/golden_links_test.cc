#include "model/golden_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "common/files.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class GoldenLinksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteBundleFor(ToyGraph(), ToyNetworkOptions(),
                               directory_ / "bundle", /*golden=*/true)
                    .ok());
    auto bundle = ModelBundle::Open(directory_ / "bundle");
    ASSERT_TRUE(bundle.ok()) << bundle.status();
    bundle_ = *bundle;
    encoder_ = *bundle_->MakeEncoder();
  }

  std::unique_ptr<LinkPredictor> Predictor(ForwardPath path) {
    auto made = LinkPredictor::Create(bundle_, {.path = path});
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

  absl::StatusOr<double> Check(const GoldenLinks& golden, ForwardPath path) {
    return CheckGoldenLinks(golden, *snapshot_, *encoder_, *Predictor(path),
                            GoldenTolerance(path));
  }

  const TempDirectory directory_;
  const std::shared_ptr<const GraphSnapshot> snapshot_ = ToySnapshot();
  std::shared_ptr<const ModelBundle> bundle_;
  std::unique_ptr<LinkEncoder> encoder_;
};

TEST_F(GoldenLinksTest, EveryWayToRunTheNetworkReproducesThem) {
  const GoldenLinks& golden = bundle_->golden_links();
  ASSERT_EQ(golden.links.size(), kGoldenLinks);
  ASSERT_EQ(golden.logits.size(), kGoldenLinks);
  for (const ForwardPath path :
       {ForwardPath::kTorchScript, ForwardPath::kNative,
        ForwardPath::kNativeBfloat16}) {
    const absl::StatusOr<double> checked = Check(golden, path);
    ASSERT_TRUE(checked.ok()) << ForwardPathName(path) << checked.status();
    EXPECT_LE(*checked, GoldenTolerance(path));
  }
}

TEST_F(GoldenLinksTest, HalfAreLinksOfTheGraphAndNoOutputIsConstant) {
  const GoldenLinks& golden = bundle_->golden_links();
  size_t real = 0;
  for (size_t i = 0; i < kGoldenLinks; i += 2) {
    real += snapshot_->HasLink(golden.links[i]) ? 1 : 0;
  }
  EXPECT_EQ(real, kGoldenLinks / 2);
  for (int scorer = 0; scorer < kScorers; ++scorer) {
    for (int question = 0; question < kQuestions; ++question) {
      std::set<float> values;
      for (const LinkLogits& one : golden.logits) {
        values.insert(one[scorer][question]);
      }
      EXPECT_GT(values.size(), 10) << scorer << " " << question;
    }
  }
}

TEST_F(GoldenLinksTest, AnotherLogitOfAnyOutputIsNamed) {
  for (int scorer = 0; scorer < kScorers; ++scorer) {
    for (int question = 0; question < kQuestions; ++question) {
      GoldenLinks changed = bundle_->golden_links();
      float& logit = changed.logits[77][scorer][question];
      logit += 0.01f * std::max(1.0f, std::abs(logit));
      const absl::Status refused =
          Check(changed, ForwardPath::kNative).status();
      EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(std::string(refused.message()),
                  HasSubstr(OutputNames()[scorer * kQuestions + question]));
      EXPECT_THAT(std::string(refused.message()),
                  HasSubstr(snapshot_->Key(changed.links[77].source)));
    }
  }
  GoldenLinks no_number = bundle_->golden_links();
  no_number.logits[3][0][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Check(no_number, ForwardPath::kNative).ok());
}

TEST_F(GoldenLinksTest, TextThatIsNoneIsDamage) {
  const std::string json =
      *ReadFile(directory_ / "bundle" / kGoldenLinksMember);
  EXPECT_TRUE(GoldenLinksFromJson(json, bundle_->manifest()).ok());
  std::string other_output = json, far_node = json;
  other_output.replace(other_output.find("context.plausible"), 7, "kontext");
  far_node.replace(far_node.find("[[") + 2, 1, "99999");
  for (const std::string& bad :
       {std::string(), std::string("{}"), json.substr(0, json.size() / 2),
        other_output, far_node, std::string(R"({"outputs": [], "links": []})"),
        std::string(R"({"outputs": 3, "links": {}})")}) {
    EXPECT_EQ(GoldenLinksFromJson(bad, bundle_->manifest()).status().code(),
              absl::StatusCode::kDataLoss)
        << bad.substr(0, 60);
  }
}

TEST_F(GoldenLinksTest, AGraphWithoutLinksHasMadeUpOnesAlone) {
  GraphData data = ToyGraph();
  data.links.clear();
  const auto empty = GraphSnapshot::Build(data);
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(DrawGoldenLinks(**empty, 8, 1).size(), 8);
}

}  // namespace
}  // namespace slice
