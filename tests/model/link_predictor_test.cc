#include "model/link_predictor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

constexpr double kTolerance = 1e-5;

class LinkPredictorTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteToyBundle(directory_ / "bundle", GetParam()).ok());
    auto bundle = ModelBundle::Open(directory_ / "bundle");
    ASSERT_TRUE(bundle.ok()) << bundle.status();
    encoder_ = *(*bundle)->MakeEncoder();
    auto predictor = LinkPredictor::Create(*bundle, {});
    ASSERT_TRUE(predictor.ok()) << predictor.status();
    predictor_ = std::move(*predictor);
    for (NodeId source = 0; source < graph_->node_count(); ++source) {
      const NodeId target = (source * 5 + 3) % graph_->node_count();
      const RelationId relation = source % graph_->relation_count();
      links_.push_back(
          encoder_->Encode(*graph_, Link{source, relation, target}));
    }
  }

  ContextBatch BatchOf(const std::vector<size_t>& which) const {
    std::vector<const EncodedLink*> links;
    for (size_t i : which) links.push_back(&links_[i]);
    return ContextBatch::Assemble(links);
  }
  ContextBatch BatchOfAll() const {
    std::vector<size_t> all(links_.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    return BatchOf(all);
  }

  TempDirectory directory_;
  std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
  std::unique_ptr<LinkEncoder> encoder_;
  std::unique_ptr<LinkPredictor> predictor_;
  std::vector<EncodedLink> links_;
};

TEST_P(LinkPredictorTest, SingleEqualsBatch) {
  const auto together = predictor_->Predict(BatchOfAll());
  ASSERT_TRUE(together.ok()) << together.status();
  for (size_t i = 0; i < links_.size(); ++i) {
    const auto alone = predictor_->Predict(BatchOf({i}));
    ASSERT_TRUE(alone.ok());
    EXPECT_NEAR((*alone)[0].logit, (*together)[i].logit, kTolerance);
    EXPECT_NEAR((*alone)[0].probability, (*together)[i].probability,
                kTolerance);
  }
}

TEST_P(LinkPredictorTest, ExplainEqualsPredict) {
  const ContextBatch batch = BatchOfAll();
  const auto predicted = predictor_->Predict(batch);
  const auto explained = predictor_->Explain(batch);
  ASSERT_TRUE(explained.ok()) << explained.status();
  for (size_t i = 0; i < links_.size(); ++i) {
    EXPECT_NEAR((*predicted)[i].logit, explained->predictions[i].logit,
                kTolerance);
    EXPECT_NEAR((*predicted)[i].logit_structural,
                explained->predictions[i].logit_structural, kTolerance);
  }
}

TEST_P(LinkPredictorTest, AttentionRowsSumToOneWithoutPadding) {
  const auto explained = predictor_->Explain(BatchOfAll());
  ASSERT_TRUE(explained.ok());
  for (size_t i = 0; i < links_.size(); ++i) {
    const SemanticAssociationMatrix& matrix = explained->attention[i];
    ASSERT_EQ(matrix.tokens, links_[i].contexts[0].tokens.size());
    for (int layer = 0; layer < matrix.layers; ++layer) {
      for (int head = 0; head < matrix.heads; ++head) {
        for (int to = 0; to < matrix.tokens; ++to) {
          double sum = 0;
          for (int from = 0; from < matrix.tokens; ++from) {
            sum += matrix.at(layer, head, to, from);
          }
          EXPECT_NEAR(sum, 1, kTolerance);
        }
      }
    }
  }
}

TEST_P(LinkPredictorTest, TheRelationAskedForChangesTheScore) {
  Link link = ToyLink(*graph_, "curl", "tagged", "role::devel-lib");
  const EncodedLink tagged = encoder_->Encode(*graph_, link);
  link.relation = ToyRelation(*graph_, "enhances");
  const EncodedLink enhances = encoder_->Encode(*graph_, link);
  const EncodedLink* links[] = {&tagged, &enhances};
  const auto predicted = predictor_->Predict(ContextBatch::Assemble(links));
  ASSERT_TRUE(predicted.ok());
  EXPECT_GT(std::abs((*predicted)[0].logit - (*predicted)[1].logit), 1e-3);
}

TEST_P(LinkPredictorTest, PartsAddUpAndTheProbabilityIsCalibrated) {
  const auto predicted = predictor_->Predict(BatchOfAll());
  ASSERT_TRUE(predicted.ok());
  for (const Prediction& prediction : *predicted) {
    EXPECT_NEAR(prediction.logit,
                prediction.logit_structural + prediction.logit_context +
                    prediction.logit_knowledge,
                kTolerance);
    EXPECT_NEAR(prediction.probability,
                1 / (1 + std::exp(-prediction.logit / 1.5)), kTolerance);
    EXPECT_EQ(prediction.decision, prediction.probability >= 0.5f);
  }
}

TEST_P(LinkPredictorTest, SeveralContextsOfALinkAreAveraged) {
  EncodedLink both = links_[0];
  both.contexts.push_back(links_[1].contexts[0]);
  EncodedLink second = links_[0];
  second.contexts = {links_[1].contexts[0]};
  const EncodedLink* links[] = {&both, &links_[0], &second};
  const auto predicted = predictor_->Predict(ContextBatch::Assemble(links));
  ASSERT_TRUE(predicted.ok());
  EXPECT_NEAR((*predicted)[0].logit,
              ((*predicted)[1].logit + (*predicted)[2].logit) / 2, kTolerance);
}

TEST_P(LinkPredictorTest, EachContextIsExplainedAsIfItWereTheOnlyOne) {
  EncodedLink both = links_[0];
  both.contexts.push_back(links_[1].contexts[0]);
  both.knowledge_logits = {0.75f, -0.5f};
  EncodedLink first = both, second = both;
  first.contexts.pop_back();
  second.contexts.erase(second.contexts.begin());
  const EncodedLink* links[] = {&links_[2], &both};
  const auto explained = predictor_->Explain(ContextBatch::Assemble(links));
  ASSERT_TRUE(explained.ok()) << explained.status();
  const std::vector<Prediction>& each = explained->context_predictions;
  ASSERT_EQ(each.size(), 3);
  EXPECT_NEAR(each[0].logit, explained->predictions[0].logit, kTolerance);
  const EncodedLink* apart[] = {&first, &second};
  const auto alone = predictor_->Predict(ContextBatch::Assemble(apart));
  ASSERT_TRUE(alone.ok());
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(each[1 + i].logit, (*alone)[i].logit, kTolerance);
    EXPECT_NEAR(each[1 + i].probability, (*alone)[i].probability, kTolerance);
    EXPECT_EQ(each[1 + i].logit_knowledge, 0.75f);
  }
  EXPECT_GT(std::abs(each[1].logit - each[2].logit), 1e-3);
  EXPECT_NEAR(explained->predictions[1].logit,
              (each[1].logit + each[2].logit) / 2, kTolerance);
}

TEST_P(LinkPredictorTest, AFeatureContributesWhatTheLogitLosesWithoutIt) {
  EncodedLink both = links_[2];  // two contexts, one list of contributions
  both.contexts.push_back(links_[1].contexts[0]);
  const EncodedLink* links[] = {&links_[0], &both, &links_[4]};
  const auto explained = predictor_->Explain(ContextBatch::Assemble(links));
  ASSERT_TRUE(explained.ok()) << explained.status();
  ASSERT_EQ(explained->contributions.size(), 3);
  for (size_t i = 0; i < 3; ++i) {
    const std::vector<float>& contributions = explained->contributions[i];
    ASSERT_EQ(contributions.size(), links[i]->pair_features.size());
    for (size_t feature = 0; feature < contributions.size(); ++feature) {
      EncodedLink without = *links[i];
      without.pair_features[feature] = 0;
      const EncodedLink* alone[] = {&without};
      const auto predicted = predictor_->Predict(ContextBatch::Assemble(alone));
      ASSERT_TRUE(predicted.ok());
      EXPECT_NEAR(contributions[feature],
                  explained->predictions[i].logit_structural -
                      (*predicted)[0].logit_structural,
                  kTolerance);
    }
  }
}

TEST_P(LinkPredictorTest, WarmsUpAndTakesAnEmptyBatch) {
  EXPECT_TRUE(predictor_->WarmUp().ok());
  const auto nothing = predictor_->Predict(ContextBatch::Assemble({}));
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->empty());
}

INSTANTIATE_TEST_SUITE_P(Presets, LinkPredictorTest,
                         ::testing::Values("default", "paper"));

TEST(LinkPredictorDeviceTest, RefusesWhatItCannotRunOn) {
  const TempDirectory directory;
  ASSERT_TRUE(WriteToyBundle(directory / "bundle").ok());
  const auto bundle = ModelBundle::Open(directory / "bundle");
  ASSERT_TRUE(bundle.ok());
  EXPECT_EQ(LinkPredictor::Create(*bundle, {"tpu"}).status().code(),
            absl::StatusCode::kInvalidArgument);
#ifdef SLICE_CUDA
  const absl::StatusCode expected = absl::StatusCode::kFailedPrecondition;
#else
  const absl::StatusCode expected = absl::StatusCode::kUnimplemented;
#endif
  const auto on_gpu = LinkPredictor::Create(*bundle, {"cuda"});
  if (on_gpu.ok()) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_EQ(on_gpu.status().code(), expected);
}

}  // namespace
}  // namespace slice
