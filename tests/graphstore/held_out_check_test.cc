#include "graphstore/held_out_check.h"

#include <string>

#include "gtest/gtest.h"

namespace slice {
namespace {

constexpr bool kPositive = true, kNegative = false;

// Nodes a, b, c and d; relations r and q; the training links a r b and a q c.
class HeldOutCheckTest : public testing::Test {
 protected:
  HeldOutCheckTest() {
    for (const char* key : {"a", "b", "c", "d"})
      data_.catalogue.nodes.push_back({key, key, 0});
    data_.catalogue.node_types = {"node"};
    data_.catalogue.relations = {"r", "q"};
    data_.links = {{0, 0, 1}, {0, 1, 2}};
    options_.train = "train.txt";
    options_.held_out = {"valid.txt", "test.txt"};
  }

  void Add(size_t file, const Link& link, bool positive) {
    rows_.push_back({{link, positive}, file, rows_.size() + 1});
  }
  // The message of a refusal with the code `code`.
  std::string Refusal(absl::StatusCode code) const {
    const absl::Status status = CheckHeldOut(options_, data_, rows_).status();
    EXPECT_EQ(status.code(), code) << status;
    return std::string(status.message());
  }

  EdgeListImportOptions options_;
  GraphData data_;
  std::vector<HeldOutRow> rows_;
};

TEST_F(HeldOutCheckTest, CountsWhatItLetsPass) {
  Add(0, {1, 0, 2}, kPositive);
  Add(0, {1, 0, 2}, kPositive);  // a repeated row
  Add(0, {0, 0, 1}, kNegative);  // a training link
  Add(1, {1, 0, 0}, kPositive);  // linked in the other direction
  Add(1, {0, 0, 2}, kPositive);  // linked by another relation
  Add(1, {1, 0, 2}, kNegative);  // another label in another file
  Add(1, {3, 0, 3}, kPositive);  // a node without a training link
  const auto counts = CheckHeldOut(options_, data_, rows_);
  ASSERT_TRUE(counts.ok()) << counts.status();
  EXPECT_EQ(counts->links, 5);
  EXPECT_EQ(counts->duplicates, 1);
  EXPECT_EQ(counts->shared, 0);
  EXPECT_EQ(counts->pairs_linked, 2);
  EXPECT_EQ(counts->unlinked_nodes, 1);
}

TEST_F(HeldOutCheckTest, LinksOfTwoFilesAreCounted) {
  Add(0, {1, 0, 2}, kPositive);
  Add(0, {1, 0, 2}, kPositive);  // a repeated row
  Add(0, {3, 0, 2}, kPositive);
  Add(0, {2, 0, 3}, kNegative);
  Add(1, {1, 0, 2}, kPositive);
  Add(1, {3, 0, 2}, kNegative);  // another label
  Add(1, {2, 0, 3}, kPositive);  // another label
  Add(1, {0, 0, 3}, kPositive);
  const auto counts = CheckHeldOut(options_, data_, rows_);
  ASSERT_TRUE(counts.ok()) << counts.status();
  EXPECT_EQ(counts->shared, 1);
}

TEST_F(HeldOutCheckTest, ATrainingLinkIsRefused) {
  Add(0, {1, 0, 2}, kPositive);
  Add(1, {0, 1, 2}, kPositive);
  EXPECT_EQ(Refusal(absl::StatusCode::kFailedPrecondition),
            "test.txt:2: the held-out link \"q a c\" is also in the training "
            "file train.txt (1 such link); take it out of one of the files");
}

TEST_F(HeldOutCheckTest, StrictPairsRefusesPairsThatTrainingLinks) {
  options_.strict_pairs = true;
  Add(0, {1, 0, 2}, kPositive);
  EXPECT_TRUE(CheckHeldOut(options_, data_, rows_).ok());
  Add(0, {1, 0, 0}, kPositive);
  Add(0, {2, 1, 0}, kPositive);
  EXPECT_EQ(Refusal(absl::StatusCode::kFailedPrecondition),
            "valid.txt:2: the held-out link \"r b a\" joins two nodes that are "
            "linked otherwise in the training file train.txt (2 such links); "
            "take them out of one of the files");
}

TEST_F(HeldOutCheckTest, ALinkLabelledBothWaysIsRefused) {
  Add(1, {1, 0, 2}, kPositive);
  Add(1, {3, 0, 2}, kPositive);
  Add(1, {1, 0, 2}, kNegative);
  EXPECT_EQ(
      Refusal(absl::StatusCode::kInvalidArgument),
      "test.txt:3: the link \"r b c\" is labelled 0 here and 1 in line 1; "
      "remove one of the two lines");
}

}  // namespace
}  // namespace slice
