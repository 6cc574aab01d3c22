#include "client/commands/recommend_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const RecommendReading kReading = {
    .relation = "knows", .threshold = 0.41, .base_rate = 0.5};

// Two nodes: the probabilities do not fall with the scores.
RecommendedNodes TwoNodes() {
  RecommendedNodes list;
  for (const char* key : {"ann", "bob"}) {
    RecommendedNode& node = list.nodes.emplace_back();
    node.rank = list.nodes.size();
    node.node = {key, key, "person"};
    node.score = 3.0f - static_cast<float>(node.rank);
    node.probability = 0.25f * static_cast<float>(node.rank);
    node.probability_among_kind = 0.125f * static_cast<float>(node.rank);
    node.decision = node.rank == 2;
  }
  return list;
}

std::string Notes(const RecommendedNodes& list,
                  const RecommendReading& reading = kReading) {
  TextStyle style;
  style.width = 1000;
  return DrawRecommendNotes(list, reading, style);
}

TEST(RecommendTableTest, ShowsBothProbabilitiesAndTheDecision) {
  const std::string drawn = DrawRecommendations(TwoNodes(), false, TextStyle{});
  EXPECT_EQ(drawn,
            "rank  node    score  among kind  probability\n"
            "   1  ann   +2.0000      0.1250  0.250000  no link\n"
            "      no path\n"
            "   2  bob   +1.0000      0.2500  0.500000  a link\n"
            "      no path\n");
}

TEST(RecommendTableTest, FlagsAreAColumnWhereTheyAreWanted) {
  RecommendedNodes list = TwoNodes();
  list.nodes[1].flags.cold_source = true;
  list.nodes[1].flags.truncated = true;
  EXPECT_THAT(DrawRecommendations(list, false, TextStyle{}),
              Not(HasSubstr("cold_source")));
  EXPECT_THAT(DrawRecommendations(list, true, TextStyle{}),
              HasSubstr("a link   cold_source,truncated\n"));
  EXPECT_EQ(RecommendLines(list, true, TextStyle{}),
            "1\tann\t+2.0000\t0.25\tno path\t0.125\t-\n"
            "2\tbob\t+1.0000\t0.5\tno path\t0.25\tcold_source,truncated\n");
  EXPECT_EQ(RecommendLines(list, false, TextStyle{}),
            "1\tann\t+2.0000\t0.25\tno path\t0.125\n"
            "2\tbob\t+1.0000\t0.5\tno path\t0.25\n");
}

TEST(RecommendTableTest, SaysWhatTheOrderIs) {
  EXPECT_THAT(Notes(TwoNodes()),
              StartsWith("order: by score, which compares nodes; the "
                         "probabilities are calibrated one by one, and need "
                         "not fall from row to row\n"));
}

TEST(RecommendTableTest, SaysFromWhereOnItIsALink) {
  EXPECT_THAT(
      Notes(TwoNodes()),
      HasSubstr("if 50 % of the pairs are links (where they are rarer, say how "
                "rare with --prior); a link from 0.4100 on, the threshold of "
                "knows\n"));
  RecommendReading reading = kReading;
  reading.prior = 0.001;
  EXPECT_THAT(Notes(TwoNodes(), reading),
              HasSubstr("if a share of 0.001 of the pairs are links; a link"));
  RecommendedNodes list = TwoNodes();
  list.nodes[0].flags.off_schema_target = true;
  EXPECT_THAT(Notes(list), HasSubstr("the threshold of knows, which is higher "
                                     "where an end does not fit"));
  EXPECT_THAT(Notes(TwoNodes(), {}), Not(HasSubstr("threshold")));
}

TEST(RecommendTableTest, NotesAreSaidOnceWithTheirRows) {
  RecommendedNodes list = TwoNodes();
  list.nodes.resize(5, list.nodes[1]);
  for (size_t i = 0; i < list.nodes.size(); ++i) {
    list.nodes[i].rank = i + 1;
    list.nodes[i].flags.notes = {"ann has no link"};
  }
  for (const size_t i : {0, 1, 2, 4})
    list.nodes[i].flags.notes.push_back("there is such a link");
  list.nodes[3].flags.notes.push_back("bob is new");
  EXPECT_THAT(Notes(list), testing::EndsWith(
                               "\nnote: ann has no link\n"
                               "note on ranks 1 to 3, 5: there is such a link\n"
                               "note on rank 4: bob is new\n"));
}

TEST(RecommendTableTest, ManyNotesAreCounted) {
  RecommendedNodes list = TwoNodes();
  for (int i = 0; i < 13; ++i)
    list.nodes[0].flags.notes.push_back(absl::StrCat("note ", i));
  EXPECT_THAT(Notes(list), HasSubstr("note on rank 1: note 9\n"
                                     "note: --json has 3 more notes\n"));
}

}  // namespace
}  // namespace slice
