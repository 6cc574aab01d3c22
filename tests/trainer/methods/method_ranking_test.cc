#include "trainer/methods/method_ranking.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/hash_method.h"

namespace slice {
namespace {

bool IsTrue(const GraphSnapshot& snapshot,
            const std::vector<LabelledLink>& held_out, const Link& link) {
  for (const auto& [other, positive] : held_out) {
    if (positive && other == link) return true;
  }
  return snapshot.HasLink(link);
}

double RankByHand(const HashMethod& method, const GraphSnapshot& snapshot,
                  const std::vector<LabelledLink>& held_out,
                  const LinkQuestion& question) {
  const float score = method.ScoreOf(question.link);
  double rank = 1;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    const Link rival = question.With(node);
    if (rival == question.link || IsTrue(snapshot, held_out, rival)) continue;
    const float other = method.ScoreOf(rival);
    rank += other > score ? 1 : other == score ? 0.5 : 0;
  }
  return rank;
}

class MethodRankingProperty : public testing::TestWithParam<uint64_t> {};

TEST_P(MethodRankingProperty, RanksAsByHand) {
  RandomMultigraphOptions options;
  options.nodes = 20;
  options.links = 60;
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph(options, GetParam()));
  Random random(GetParam());
  const auto relations = static_cast<uint32_t>(snapshot->relation_count());
  std::vector<LabelledLink> held_out;
  for (int i = 0; i < 30; ++i) {
    held_out.push_back(
        {{random.Below(20), static_cast<RelationId>(random.Below(relations)),
          random.Below(20)},
         i % 3 != 0});
  }
  std::vector<LinkQuestion> questions;
  for (const LabelledLink& row : held_out) {
    if (!row.positive) continue;
    questions.push_back({row.link, Direction::kOut});
    questions.push_back({row.link, Direction::kIn});
  }
  const std::span<const LabelledLink> files[] = {held_out};
  const HashMethod method(7);  // frequent ties
  const MethodRanking ranking(*snapshot, files);
  const std::vector<double> ranks =
      ranking.Rank(method, questions, /*threads=*/2, "ranking");
  for (size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(ranks[i], RankByHand(method, *snapshot, held_out, questions[i]))
        << i;
  }
}

// Has no number for any link.
class LostMethod : public TrainedMethod {
 public:
  void Score(std::span<const Link>, std::span<const Link>,
             std::span<float> scores) const override {
    std::fill(scores.begin(), scores.end(), NAN);
  }
};

TEST(MethodRankingTest, AnAnswerWithoutANumberIsLast) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 20, .links = 60, .node_types = 1}, 1));
  const MethodRanking ranking(*snapshot, {});
  const LinkQuestion question{{3, 0, 5}, Direction::kOut};
  const auto others = snapshot->Neighbors(3, 0, Direction::kOut);
  const auto rivals =
      19 - static_cast<double>(others.size()) +
      static_cast<double>(std::count(others.begin(), others.end(), NodeId{5}));
  EXPECT_EQ(ranking.Rank(LostMethod(), {&question, 1}, 1, "ranking")[0],
            1 + rivals);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MethodRankingProperty,
                         testing::Range<uint64_t>(0, 20));

}  // namespace
}  // namespace slice
