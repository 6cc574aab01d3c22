#include "trainer/evaluation/ranking_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "common/random.h"
#include "context/end_feature_cache.h"
#include "context/slot_candidates.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/evaluation/question_threads.h"

namespace slice {
namespace {

using ::testing::Each;

// A score of a candidate, with many ties.
float ScoreOf(NodeId node) {
  return static_cast<float>(CombineHash(node, 5) % 7);
}

class RankingQuestionsTest : public ::testing::Test {
 protected:
  RankingQuestionsTest() {
    Random random(7);
    const auto nodes = static_cast<uint32_t>(graph_->node_count());
    for (int i = 0; i < 60; ++i) {
      const Link link = {random.Below(6),
                         static_cast<RelationId>(random.Below(2)),
                         random.Below(nodes)};
      if (graph_->HasLink(link)) continue;
      held_out_.push_back({link, true});
    }
    held_out_.push_back(held_out_.front());  // a row that is there twice
    questions_ = SampleQuestions(held_out_, held_out_.size());
  }

  KnownLinks Known() const {
    const std::span<const LabelledLink> rows = held_out_;
    return KnownLinks(std::span(&rows, 1));
  }

  // Calls `ask` for all questions, on four threads.
  absl::Status AskAll(const AskQuestion& ask) const {
    const LinkEncoder encoder(LinkEncoderOptions(), graph_->relation_count(),
                              graph_->node_type_count(), EncoderTables());
    EndFeatureCache ends(*graph_, encoder, 0);
    return AskOnThreads(*graph_, ends, EndQuestionsOf(questions_),
                        /*threads=*/4, "test", ask);
  }

  // The rank of the answer by its definition: among the fitting nodes without
  // any true answer, the mean place of a tie.
  double ExpectedRank(const LinkQuestion& question) const {
    double rank = 1;
    for (const NodeId node :
         SlotCandidates(*graph_, question.link.relation, question.direction)) {
      const Link link = question.With(node);
      if (graph_->HasLink(link) || Known().Contains(link)) continue;
      if (ScoreOf(node) > ScoreOf(question.answer())) rank += 1;
      if (ScoreOf(node) == ScoreOf(question.answer())) rank += 0.5;
    }
    return rank;
  }

  const std::shared_ptr<const GraphSnapshot> graph_ =
      BuildSnapshotOrDie(RandomMultigraph({}, 3));
  std::vector<LabelledLink> held_out_;
  std::vector<LinkQuestion> questions_;
};

TEST_F(RankingQuestionsTest, EqualQuestionsAreAskedTogetherAndEachOnce) {
  std::mutex mutex;
  std::vector<int> asked(questions_.size());
  std::vector<EndQuestion> calls;
  const auto equal = [](const EndQuestion& a, const EndQuestion& b) {
    return a.With(0) == b.With(0) && a.direction == b.direction;
  };
  const absl::Status status =
      AskAll([&](std::span<const size_t> same, std::span<const NodeId>, int) {
        const std::lock_guard lock(mutex);
        calls.push_back(questions_[same.front()].question());
        for (const size_t i : same) {
          ++asked[i];
          EXPECT_TRUE(equal(questions_[i].question(), calls.back()));
        }
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(asked, Each(1));
  EXPECT_LT(calls.size(), questions_.size());
  for (size_t a = 0; a < calls.size(); ++a) {
    for (size_t b = 0; b < a; ++b) EXPECT_FALSE(equal(calls[a], calls[b]));
  }
}

TEST_F(RankingQuestionsTest, AnErrorOfOneQuestionIsReturned) {
  const absl::Status status =
      AskAll([&](std::span<const size_t> same, std::span<const NodeId>, int) {
        return std::ranges::count(same, 5) > 0
                   ? absl::ResourceExhaustedError("no memory")
                   : absl::OkStatus();
      });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(RankingQuestionsTest, RanksOfQuestionsAskedTogetherAreThoseOfEachAlone) {
  const absl::Status status = AskAll(
      [&](std::span<const size_t> same, std::span<const NodeId> fitting, int) {
        const QuestionCandidates candidates = CollectCandidates(
            *graph_, Known(), QuestionsAt(questions_, same), fitting);
        std::vector<float> scores;
        for (const NodeId node : candidates.nodes)
          scores.push_back(ScoreOf(node));
        const std::vector<double> ranks = candidates.RanksOfAnswers(scores);
        EXPECT_EQ(ranks.size(), same.size());
        for (size_t i = 0; i < same.size(); ++i) {
          EXPECT_DOUBLE_EQ(ranks[i], ExpectedRank(questions_[same[i]]));
        }
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace slice
