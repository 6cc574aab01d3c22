#include "trainer/learning/ranking_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "tests/testing/random_multigraph.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr size_t kLength = 5;

class RankingListsTest : public ::testing::Test {
 protected:
  RankingListsTest() {
    TrainingExampleOptions options;
    examples_ = std::make_unique<TrainingExamples>(graph_.get(), sampler_.get(),
                                                   AllLinks(*graph_), options);
    for (const Link& link : AllLinks(*graph_)) {
      HardQuestion question{
          link, link.target % 2 == 0 ? Direction::kOut : Direction::kIn, {}};
      for (NodeId node = 0; node < 12; ++node) {
        if (!graph_->HasLink(question.question().With(node))) {
          question.rivals.push_back(node);
        }
      }
      questions_.push_back(std::move(question));
    }
  }

  ListChunk Encode(uint64_t seed, int threads = 1) const {
    return EncodeLists(*examples_, encoder_, questions_,
                       {.length = kLength, .seed = seed, .threads = threads});
  }

  const std::shared_ptr<const GraphSnapshot> graph_ =
      BuildSnapshotOrDie(RandomMultigraph({}, 5));
  const std::unique_ptr<NegativeSampler> sampler_ =
      *NegativeSampler::Create(*graph_, NegativeMix{.uniform = 1});
  const LinkEncoder encoder_{LinkEncoderOptions{}, graph_->relation_count(),
                             graph_->node_type_count(), EncoderTables{}};
  std::unique_ptr<TrainingExamples> examples_;
  std::vector<HardQuestion> questions_;
};

TEST_F(RankingListsTest, AListIsTheAnswerAndSomeOfItsRivals) {
  const ListChunk chunk = Encode(1);
  ASSERT_EQ(chunk.lists(), questions_.size());
  for (size_t i = 0; i < chunk.lists(); ++i) {
    const HardQuestion& question = questions_[i];
    const EncodedLink* const list = chunk.links.data() + i * kLength;
    EXPECT_EQ(list[0].link, question.link);
    std::set<NodeId> rivals;
    for (size_t k = 1; k < kLength; ++k) {
      const NodeId node = question.direction == Direction::kOut
                              ? list[k].link.target
                              : list[k].link.source;
      EXPECT_EQ(list[k].link, question.question().With(node));
      EXPECT_EQ(
          std::count(question.rivals.begin(), question.rivals.end(), node), 1);
      rivals.insert(node);
    }
    EXPECT_EQ(rivals.size(), kLength - 1);
  }
}

// The answer and its rivals are read without the answer's pair: otherwise a
// missing link would tell the answer.
TEST_F(RankingListsTest, RivalsAreReadWithoutTheAnswer) {
  const ListChunk chunk = Encode(1);
  for (size_t i = 0; i < chunk.links.size(); ++i) {
    const Link& answer = chunk.links[i / kLength * kLength].link;
    const Link& link = chunk.links[i].link;
    GraphView view(*graph_);
    view.HidePair(answer.source, answer.target);
    view.HidePair(link.source, link.target);
    EXPECT_EQ(chunk.links[i].pair_features,
              encoder_.Encode(view, link).pair_features);
  }
}

TEST_F(RankingListsTest, TheSeedAndNotTheThreadsChooseRivals) {
  const auto links_of = [](const ListChunk& chunk) {
    std::vector<Link> links;
    for (const EncodedLink& encoded : chunk.links)
      links.push_back(encoded.link);
    return links;
  };
  EXPECT_EQ(links_of(Encode(1)), links_of(Encode(1, 4)));
  EXPECT_NE(links_of(Encode(1)), links_of(Encode(2)));
}

TEST_F(RankingListsTest, QuestionsWithTooFewRivalsHaveNoList) {
  for (size_t i = 0; i < questions_.size(); i += 2) {
    questions_[i].rivals.resize(kLength - 2);
  }
  EXPECT_EQ(Encode(1).lists(), questions_.size() / 2);
  questions_.clear();
  EXPECT_EQ(Encode(1).lists(), 0u);
}

// One relation with few targets must not shorten the lists of all others.
TEST(ListLengthTest, FitsNineOfTenQuestions) {
  std::vector<HardQuestion> questions(20);
  for (HardQuestion& question : questions) question.rivals.resize(30);
  questions[7].rivals.resize(1);
  EXPECT_EQ(ListLengthFor(questions, 25), 25u);
  EXPECT_EQ(ListLengthFor(questions, 100), 31u);
  for (size_t i = 0; i < 5; ++i) questions[i].rivals.resize(3);
  EXPECT_EQ(ListLengthFor(questions, 25), 4u);
  questions.resize(1);
  questions[0].rivals.clear();
  EXPECT_EQ(ListLengthFor(questions, 25), 2u);
  EXPECT_EQ(ListLengthFor({}, 25), 25u);
}

TEST(ReciprocalRanksTest, CountsTheRivalsAboveTheAnswer) {
  ListChunk lists{.length = 3, .links = std::vector<EncodedLink>(9)};
  // Two columns; the second counts.
  const std::vector<float> scores = {9, 3, 9, 1, 9, 2,   // first
                                     0, 1, 0, 5, 0, -2,  // second
                                     4, 0, 4, 1, 4, 2};  // last
  EXPECT_EQ(ReciprocalRanks(lists, scores, 1),
            (std::vector<double>{1, 0.5, 1.0 / 3}));
  EXPECT_TRUE(ReciprocalRanks({}, {}, 0).empty());
}

}  // namespace
}  // namespace slice
