#include "trainer/methods/dot_bundle.h"

#include <cmath>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/random.h"
#include "common/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/link_predictor.h"
#include "model/manifest_check.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"
#include "trainer/evaluate_command.h"
#include "trainer/rank_command.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr size_t kDim = 6;

class DotBundleTest : public testing::Test {
 protected:
  void SetUp() override {
    imported_.data = ToyGraph();
    imported_.split_digest = Sha256Bytes("split");
    Random random(3);
    vectors_.resize(graph_->node_count() * kDim);
    for (float& value : vectors_) {
      value = static_cast<float>(4 * random.Uniform() - 2);
    }
    bundle_.imported = &imported_;
    bundle_.snapshot = graph_.get();
    bundle_.embeddings = {vectors_, kDim};
    bundle_.method = "gcn";
    bundle_.offset = 1.25;
    bundle_.calibrations = {Calibration{2.5, 0.75}, Calibration{0.5, 0.25}};
  }

  double Dot(NodeId a, NodeId b) const {
    double sum = 0;
    for (size_t k = 0; k < kDim; ++k) {
      sum += double{vectors_[a * kDim + k]} * vectors_[b * kDim + k];
    }
    return sum;
  }

  TempDirectory directory_;
  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
  ImportedGraph imported_;
  std::vector<float> vectors_;
  DotBundle bundle_;
};

TEST_F(DotBundleTest, ServesTheCalibratedDotProduct) {
  ASSERT_TRUE(PublishDotBundle(bundle_, directory_ / "bundle").ok());
  const auto opened = ModelBundle::Open(directory_ / "bundle");
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ((*opened)->manifest().preset, "gcn");
  EXPECT_TRUE(
      CheckGraph((*opened)->manifest(), *graph_, GraphDigest(imported_.data))
          .ok());
  const auto encoder = (*opened)->MakeEncoder();
  ASSERT_TRUE(encoder.ok()) << encoder.status();
  const auto predictor = LinkPredictor::Create(*opened, {});
  ASSERT_TRUE(predictor.ok()) << predictor.status();
  std::vector<EncodedLink> links;
  for (NodeId source = 0; source < graph_->node_count(); ++source) {
    const auto target =
        static_cast<NodeId>((source * 5 + 3) % graph_->node_count());
    const auto relation =
        static_cast<RelationId>(source % graph_->relation_count());
    links.push_back((*encoder)->Encode(*graph_, {source, relation, target}));
  }
  std::vector<const EncodedLink*> batch;
  for (const EncodedLink& link : links) batch.push_back(&link);
  const auto predicted = (*predictor)->Predict(ContextBatch::Assemble(batch));
  ASSERT_TRUE(predicted.ok()) << predicted.status();
  for (size_t i = 0; i < links.size(); ++i) {
    const double logit = Dot(links[i].link.source, links[i].link.target) - 1.25;
    const Prediction& prediction = (*predicted)[i];
    EXPECT_NEAR(prediction.Logit(Scorer::kContext, Question::kPlausible), logit,
                1e-5);
    EXPECT_NEAR(prediction.probability, 1 / (1 + std::exp(-logit / 2.5)), 1e-6);
  }
}

// A dot product bundle has no structural scorer to rank candidates by.
TEST_F(DotBundleTest, IsNotRanked) {
  ASSERT_TRUE(PublishDotBundle(bundle_, directory_ / "bundle").ok());
  EvaluateOptions options;
  options.bundle = directory_ / "bundle";
  options.test = directory_ / "none";
  options.ranking = 5;
  const absl::Status status = RunEvaluate(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("of the preset gcn"));
  RankOptions rank;
  rank.bundle = options.bundle;
  rank.links = directory_ / "none";
  EXPECT_EQ(RunRank(rank).code(), absl::StatusCode::kFailedPrecondition);
}

// The rows of the report have the name of the method, not that of slice.
TEST_F(DotBundleTest, EvaluateNamesItsMethod) {
  ASSERT_TRUE(PublishDotBundle(bundle_, directory_ / "bundle").ok());
  std::string rows;
  for (NodeId node = 0; node + 1 < graph_->node_count(); ++node) {
    rows +=
        absl::StrCat(std::string(graph_->RelationName(0)), " ",
                     std::string(graph_->Key(node)), " ",
                     std::string(graph_->Key(node + 1)), " ", node % 2, "\n");
  }
  directory_.Write("test.txt", rows);
  EvaluateOptions options;
  options.bundle = directory_ / "bundle";
  options.test = directory_ / "test.txt";
  options.html = directory_ / "pages" / "gcn.html";
  ASSERT_TRUE(RunEvaluate(options).ok());
  const std::string page = *ReadFile(options.html);
  EXPECT_THAT(page, HasSubstr("gcn on "));
  EXPECT_THAT(page, HasSubstr("gcn, context"));
  EXPECT_THAT(page, Not(HasSubstr("slice, context")));
  EXPECT_THAT(page, Not(HasSubstr("embedding dot product")));
}

// Nothing can be measured on no rows, nor on links that training saw.
TEST_F(DotBundleTest, EvaluateRefusesWhatItCannotMeasure) {
  ASSERT_TRUE(PublishDotBundle(bundle_, directory_ / "bundle").ok());
  EvaluateOptions options;
  options.bundle = directory_ / "bundle";
  options.test = directory_ / "test.txt";
  const auto error_of = [&](const std::string& rows) {
    directory_.Write("test.txt", rows);
    return std::string(RunEvaluate(options).message());
  };
  EXPECT_THAT(error_of(""), HasSubstr("it needs rows of both labels"));
  const Link link = imported_.data.links.front();
  const std::string row =
      absl::StrCat(std::string(graph_->RelationName(link.relation)), " ",
                   std::string(graph_->Key(link.source)), " ",
                   std::string(graph_->Key(link.target)));
  EXPECT_THAT(error_of(absl::StrCat(row, " 1\n", row, " 0\n")),
              HasSubstr(absl::StrCat("\"", row, "\" is in the graph")));
  options.ranking_only = true;
  EXPECT_THAT(error_of(absl::StrCat(row, " 0\n")),
              HasSubstr("has no link labelled 1"));
}

TEST_F(DotBundleTest, ReplacesAnExistingBundle) {
  ASSERT_TRUE(PublishDotBundle(bundle_, directory_ / "bundle").ok());
  bundle_.method = "gat";
  ASSERT_TRUE(PublishDotBundle(bundle_, directory_ / "bundle").ok());
  const auto opened = ModelBundle::Open(directory_ / "bundle");
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ((*opened)->manifest().preset, "gat");
}

}  // namespace
}  // namespace slice
