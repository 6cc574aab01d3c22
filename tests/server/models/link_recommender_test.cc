#include "model/link_recommender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "common/status_macros.h"
#include "context/slot_candidates.h"
#include "tests/server/recommend_model.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr size_t kPackages = 300;  // more than are ranked again

class LinkRecommenderTest : public ::testing::Test {
 protected:
  RecommendQuestion Question(NodeId anchor, Direction direction,
                             Scorer scorer) const {
    const RelationId depends = ToyRelation(*model_.served->snapshot, "depends");
    RecommendQuestion question;
    question.question = {anchor, depends, direction};
    question.candidates =
        SlotCandidates(*model_.served->snapshot, depends, direction);
    question.reading = model_.served->manifest.reading;
    question.reading.scorer = scorer;
    return question;
  }

  absl::StatusOr<std::vector<Recommended>> Ask(
      const RecommendQuestion& question) {
    const LinkRecommender& recommender = *model_.served->recommender;
    const GraphSnapshot& graph = *model_.served->snapshot;
    const RecommendLimits limits = {&clock_, deadline_,
                                    [this] { return left_; }};
    std::vector<Recommended> links;
    pieces_ = 0;
    SLICE_ASSIGN_OR_RETURN(RankedEnds ranked,
                           recommender.Rank(graph, question, limits));
    best_so_far_ = ranked.best_so_far;
    while (!ranked.done()) {
      ++pieces_;
      SLICE_ASSIGN_OR_RETURN(
          auto piece, recommender.Explain(graph, question, limits, ranked));
      for (Recommended& link : piece) links.push_back(std::move(link));
    }
    return links;
  }

  // Scores each candidate alone, as PredictLinks does.
  std::map<NodeId, Prediction> BruteForce(
      const RecommendQuestion& question) const {
    std::map<NodeId, Prediction> all;
    for (const NodeId node : question.candidates) {
      const EncodedLink encoded = model_.served->encoder->Encode(
          *model_.served->snapshot, question.question.With(node));
      const EncodedLink* links[] = {&encoded};
      all[node] =
          (*model_.served->scorer->Predict(ContextBatch::Assemble(links)))[0];
      all[node].Read(question.reading);
    }
    return all;
  }

  // The best `count` of `nodes` by the question "among kind" of a scorer.
  static std::vector<NodeId> Best(std::vector<NodeId> nodes,
                                  const std::map<NodeId, Prediction>& all,
                                  Scorer scorer, size_t count) {
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
      return all.at(a).Logit(scorer, Question::kAmongKind) >
             all.at(b).Logit(scorer, Question::kAmongKind);
    });
    nodes.resize(std::min(count, nodes.size()));
    return nodes;
  }

  static NodeId NodeOf(const RecommendQuestion& question,
                       const Recommended& link) {
    return question.question.direction == Direction::kOut ? link.link.target
                                                          : link.link.source;
  }

  // Expects that `links` are the best ones by brute force and in their order;
  // scores that are equal but for rounding may be exchanged.
  void ExpectBest(const RecommendQuestion& question,
                  const std::vector<Recommended>& links,
                  const std::vector<NodeId>& among, Scorer scorer) const {
    const auto all = BruteForce(question);
    const auto expected = Best(among, all, scorer, question.k);
    ASSERT_EQ(links.size(), expected.size());
    for (size_t i = 0; i < links.size(); ++i) {
      const NodeId node = NodeOf(question, links[i]);
      EXPECT_EQ(links[i].rank, i + 1);
      EXPECT_EQ(links[i].link, question.question.With(node));
      EXPECT_NEAR(all.at(node).Logit(scorer, Question::kAmongKind),
                  all.at(expected[i]).Logit(scorer, Question::kAmongKind),
                  2e-4);
      EXPECT_NEAR(links[i].score,
                  all.at(node).Logit(scorer, Question::kAmongKind), 2e-4);
      EXPECT_NEAR(links[i].prediction.probability, all.at(node).probability,
                  1e-5);
    }
  }

  RecommendModel model_{LargerToyGraph(kPackages)};
  FakeClock clock_;
  absl::Time deadline_ = clock_.Now() + absl::Seconds(1);
  bool left_ = false;
  int pieces_ = 0;
  bool best_so_far_ = false;
};

TEST_F(LinkRecommenderTest, OrdersAllCandidatesByTheStructuralScorer) {
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    for (const NodeId anchor : {3u, 20u, 150u}) {
      RecommendQuestion question =
          Question(anchor, direction, Scorer::kStructural);
      question.k = 1000;
      const auto links = Ask(question);
      ASSERT_TRUE(links.ok()) << links.status();
      ASSERT_THAT(*links, SizeIs(question.candidates.size()));
      ExpectBest(question, *links, question.candidates, Scorer::kStructural);
      EXPECT_FALSE(links->front().reranked);
      EXPECT_FALSE(best_so_far_);
      EXPECT_GT(pieces_, 3);
    }
  }
}

TEST_F(LinkRecommenderTest, RanksTheStructurallyBestByTheScorerAskedFor) {
  for (const Scorer scorer : {Scorer::kContext, Scorer::kEnds}) {
    const RecommendQuestion question = Question(40, Direction::kOut, scorer);
    const auto links = Ask(question);
    ASSERT_TRUE(links.ok()) << links.status();
    ASSERT_GT(question.candidates.size(), LinkRecommender::kReranked);
    const auto first = Best(question.candidates, BruteForce(question),
                            Scorer::kStructural, LinkRecommender::kReranked);
    ExpectBest(question, *links, first, scorer);
    EXPECT_TRUE(links->back().reranked);
  }
}

TEST_F(LinkRecommenderTest, IsExactWhereAllCandidatesAreRankedOnceMore) {
  RecommendQuestion question = Question(40, Direction::kOut, Scorer::kContext);
  question.k = question.candidates.size();
  const auto links = Ask(question);
  ASSERT_TRUE(links.ok()) << links.status();
  ExpectBest(question, *links, question.candidates, Scorer::kContext);
}

TEST_F(LinkRecommenderTest, SendsTheStructuralOrderWhenThereIsNoTimeForMore) {
  const RecommendQuestion question =
      Question(40, Direction::kOut, Scorer::kContext);
  // No more time is left than Rank keeps back for explaining.
  model_.scorer->before_structural = [this] {
    clock_.Set(deadline_ - absl::Milliseconds(1));
  };
  const auto links = Ask(question);
  ASSERT_TRUE(links.ok()) << links.status();
  EXPECT_TRUE(best_so_far_);
  EXPECT_THAT(*links, SizeIs(10));
  EXPECT_FALSE(links->front().reranked);
  ExpectBest(question, *links, question.candidates, Scorer::kStructural);
}

TEST_F(LinkRecommenderTest, PutsWhatWasRankedOnceMoreBeforeTheRest) {
  RecommendQuestion question = Question(40, Direction::kOut, Scorer::kContext);
  question.k = 100;
  int batches = 0;
  model_.scorer->before = [&] {
    ++batches;
    clock_.Advance(absl::Milliseconds(500));
  };
  const auto links = Ask(question);
  ASSERT_TRUE(links.ok()) << links.status();
  EXPECT_TRUE(best_so_far_);
  EXPECT_EQ(batches, 1);  // a second one would have ended too late
  ASSERT_THAT(*links, SizeIs(100));
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ((*links)[i].reranked, i < 50);
  model_.scorer->before = nullptr;
  const auto all = BruteForce(question);
  const auto order = Best(question.candidates, all, Scorer::kStructural, 100);
  for (size_t i = 50; i < 100; ++i) {
    const auto logit = [&](NodeId node) {
      return all.at(node).Logit(Scorer::kStructural, Question::kAmongKind);
    };
    // Rounding, which differs between processors, decides between equal scores.
    EXPECT_NEAR(logit(NodeOf(question, (*links)[i])), logit(order[i]), 2e-4);
  }
}

TEST_F(LinkRecommenderTest, FailsWhenTheDeadlineComesBeforeAnyOrder) {
  const RecommendQuestion question =
      Question(40, Direction::kOut, Scorer::kContext);
  model_.scorer->before_structural = [this] { clock_.Set(deadline_); };
  EXPECT_EQ(Ask(question).status().code(), absl::StatusCode::kDeadlineExceeded);
  clock_.Advance(absl::Seconds(1));
  model_.scorer->before_structural = [] { FAIL() << "too late"; };
  EXPECT_EQ(Ask(question).status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(LinkRecommenderTest, StopsWhenTheCallerLeaves) {
  const RecommendQuestion question =
      Question(40, Direction::kOut, Scorer::kContext);
  int batches = 0;
  model_.scorer->before = [&] {
    ++batches;
    left_ = true;
  };
  EXPECT_EQ(Ask(question).status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(batches, 1);
  EXPECT_EQ(pieces_, 0);
}

TEST_F(LinkRecommenderTest, AnswersTheSameAgain) {
  const RecommendQuestion first =
      Question(40, Direction::kOut, Scorer::kContext);
  const RecommendQuestion other = Question(7, Direction::kIn, Scorer::kContext);
  const auto expected = Ask(first);
  ASSERT_TRUE(Ask(other).ok());
  const auto again = Ask(first);
  ASSERT_TRUE(expected.ok() && again.ok());
  ASSERT_EQ(again->size(), expected->size());
  for (size_t i = 0; i < again->size(); ++i) {
    EXPECT_EQ((*again)[i].link, (*expected)[i].link);
    EXPECT_EQ((*again)[i].score, (*expected)[i].score);
  }
}

TEST(LinkRecommenderPresetTest, RefusesABundleWithoutStructuralScorer) {
  const RecommendModel model(ToyGraph(), "paper");
  RecommendQuestion question;
  question.candidates = {0, 1, 2};
  const auto refused = model.served->recommender->Rank(
      *model.served->snapshot, question,
      {Clock::Real(), absl::InfiniteFuture(), nullptr});
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.status().message(), HasSubstr("no structural scorer"));
}

}  // namespace
}  // namespace slice
