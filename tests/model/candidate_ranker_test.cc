#include "model/candidate_ranker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/random.h"
#include "model/link_predictor.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

class CandidateRankerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteToyBundle(directory_ / "bundle").ok());
    auto bundle = ModelBundle::Open(directory_ / "bundle");
    ASSERT_TRUE(bundle.ok()) << bundle.status();
    encoder_ = WithKnowledge(**(*bundle)->MakeEncoder());
    auto predictor = LinkPredictor::Create(*bundle, {});
    ASSERT_TRUE(predictor.ok()) << predictor.status();
    predictor_ = std::move(*predictor);
    for (NodeId node = 0; node < graph_->node_count(); ++node) {
      nodes_.push_back(node);
    }
  }

  // The same encoder with a knowledge graph embedding of random numbers.
  std::unique_ptr<LinkEncoder> WithKnowledge(const LinkEncoder& encoder) {
    constexpr int64_t kDim = 10;
    const auto nodes = static_cast<int64_t>(graph_->node_count());
    const auto relations = static_cast<int64_t>(graph_->relation_count());
    Random random(5);
    const auto add = [&](const char* name, int64_t rows, int64_t columns) {
      NamedArray array{{rows, columns}, {}};
      for (int64_t i = 0; i < rows * columns; ++i) {
        array.values.push_back(static_cast<float>(random.Uniform() - 0.5));
      }
      knowledge_.Set(name, std::move(array));
    };
    add("knowledge.nodes", nodes, kDim);
    add("knowledge.relations", relations, kDim);
    add("knowledge.terms", relations, 3);
    EncoderTables tables = encoder.tables();
    tables.knowledge = *KnowledgeVectors::FromStatistics(
        knowledge_, graph_->node_count(), graph_->relation_count());
    return std::make_unique<LinkEncoder>(
        encoder.options(), graph_->relation_count(), graph_->node_type_count(),
        std::move(tables));
  }

  // The logit of the link when it is encoded and scored by itself.
  float Served(const Link& link, Scorer scorer) const {
    const EncodedLink encoded = encoder_->Encode(*graph_, link);
    const EncodedLink* links[] = {&encoded};
    const auto predictions = predictor_->Predict(ContextBatch::Assemble(links));
    EXPECT_TRUE(predictions.ok()) << predictions.status();
    return (*predictions)[0].Logit(scorer, Question::kAmongKind);
  }

  std::vector<EndQuestion> Questions() const {
    std::vector<EndQuestion> questions;
    for (const NodeId node : nodes_) {
      const auto relation = RelationId(node % graph_->relation_count());
      questions.push_back({node, relation, Direction::kOut});
      questions.push_back({node, relation, Direction::kIn});
    }
    return questions;
  }

  TempDirectory directory_;
  std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
  PropagationGraph propagation_{*graph_};
  GraphStatistics knowledge_;
  std::unique_ptr<LinkEncoder> encoder_;
  std::unique_ptr<LinkPredictor> predictor_;
  std::vector<NodeId> nodes_;
};

TEST_F(CandidateRankerTest, ScoresAllNodesAsTheServerScoresEach) {
  CandidateRanker ranker(propagation_, *encoder_, *predictor_, {});
  for (const EndQuestion& question : Questions()) {
    const auto all = ranker.ScoreAll(question, nodes_);
    ASSERT_TRUE(all.ok()) << all.status();
    ASSERT_EQ(all->scores.size(), nodes_.size());
    for (const NodeId node : nodes_) {
      EXPECT_NEAR(all->scores[node],
                  Served(question.With(node), Scorer::kStructural), 1e-4);
    }
  }
}

TEST_F(CandidateRankerTest, PutsTheFirstInTheOrderOfTheContextScorer) {
  constexpr size_t kCount = 5;
  CandidateRanker ranker(propagation_, *encoder_, *predictor_, {});
  for (const EndQuestion& question : Questions()) {
    const auto all = ranker.ScoreAll(question, nodes_);
    ASSERT_TRUE(all.ok());
    const auto first = ranker.PredictFirst(question, nodes_, *all, kCount);
    ASSERT_TRUE(first.ok()) << first.status();
    const std::vector<float> scores =
        MergeScores(*all, *first, Scorer::kContext);
    std::vector<NodeId> order = nodes_;
    std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
      return all->scores[a] > all->scores[b];
    });
    for (size_t i = kCount; i < order.size(); ++i) {
      EXPECT_EQ(scores[order[i]], all->scores[order[i]]);
    }
    for (size_t i = 0; i < kCount; ++i) {
      for (size_t j = 0; j < kCount; ++j) {
        const float a = Served(question.With(order[i]), Scorer::kContext);
        const float b = Served(question.With(order[j]), Scorer::kContext);
        EXPECT_NEAR(scores[order[i]] - scores[order[j]], a - b, 1e-3);
      }
      EXPECT_GT(scores[order[i]], scores[order[kCount]]);
    }
  }
}

TEST_F(CandidateRankerTest, KeepsTheLogitsWhenNothingIsToBeReranked) {
  CandidateRanker ranker(propagation_, *encoder_, *predictor_, {});
  const EndQuestion question{1, 0, Direction::kOut};
  const auto all = ranker.ScoreAll(question, nodes_);
  ASSERT_TRUE(all.ok());
  const auto none = ranker.PredictFirst(question, nodes_, *all, 0);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(MergeScores(*all, *none, Scorer::kContext), all->scores);
  const auto first = ranker.PredictFirst(question, nodes_, *all, 9);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(MergeScores(*all, *first, Scorer::kStructural), all->scores);
}

TEST_F(CandidateRankerTest, DoesNotDependOnThreads) {
  // Enough candidates for every thread; the same candidate may occur
  // repeatedly.
  std::vector<NodeId> candidates;
  while (candidates.size() < 5000) {
    candidates.insert(candidates.end(), nodes_.begin(), nodes_.end());
  }
  CandidateRanker one(propagation_, *encoder_, *predictor_, {});
  CandidateRanker three(propagation_, *encoder_, *predictor_, {.threads = 3});
  for (const EndQuestion& question : {EndQuestion{1, 0, Direction::kOut},
                                      EndQuestion{2, 1, Direction::kIn}}) {
    const auto expected = one.ScoreAll(question, candidates);
    const auto all = three.ScoreAll(question, candidates);
    ASSERT_TRUE(expected.ok() && all.ok());
    EXPECT_EQ(all->scores, expected->scores);
    const auto expected_first =
        one.PredictFirst(question, candidates, *expected, 170);
    const auto first = three.PredictFirst(question, candidates, *all, 170);
    ASSERT_TRUE(expected_first.ok() && first.ok());
    EXPECT_EQ(MergeScores(*all, *first, Scorer::kContext),
              MergeScores(*expected, *expected_first, Scorer::kContext));
  }
}

// A scorer without a structural part.
class ContextOnlyScorer final : public BatchScorer {
 public:
  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override {
    return std::vector<Prediction>(batch.links);
  }
  absl::StatusOr<ExplainedBatch> Explain(const ContextBatch&) const override {
    return ExplainedBatch();
  }
};

TEST_F(CandidateRankerTest, RefusesAScorerWithoutAStructuralPart) {
  const ContextOnlyScorer scorer;
  CandidateRanker ranker(propagation_, *encoder_, scorer, {});
  EXPECT_EQ(ranker.ScoreAll({0, 0, Direction::kOut}, nodes_).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace slice
