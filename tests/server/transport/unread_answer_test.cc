#include "server/transport/unread_answer.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

class UnreadAnswerTest : public ::testing::Test {
 protected:
  // Without a deadline no call is cancelled.
  std::unique_ptr<UnreadAnswer> Answer(ClientId client, size_t bytes) {
    auto answer = std::make_unique<UnreadAnswer>(&all_, nullptr, client,
                                                 absl::InfiniteFuture());
    answer->Hold(bytes);
    return answer;
  }

  FakeClock clock_;
  Admission admission_{{.max_items = 100, .max_bytes = 64 * kMiB}};
  UnreadAnswers all_{&admission_, &clock_};
};

TEST_F(UnreadAnswerTest, SmallOnesAreNotWorthAnAccount) {
  const auto small = Answer(ClientId(1), 1000);
  EXPECT_EQ(admission_.bytes(), 0);
  EXPECT_TRUE(all_.CheckRoom(ClientId(1)).ok());
}

TEST_F(UnreadAnswerTest, LargeOnesCountUntilTheyAreRead) {
  auto large = Answer(ClientId(1), 10 * kMiB);
  EXPECT_GE(admission_.bytes(), 10 * kMiB);
  large->Release(4 * kMiB);
  EXPECT_LT(admission_.bytes(), 7 * kMiB);
  large->End();
  EXPECT_EQ(admission_.bytes(), 0);
  large.reset();
  EXPECT_EQ(admission_.bytes(), 0);
}

TEST_F(UnreadAnswerTest, VeryManySmallOnesCount) {
  std::vector<std::unique_ptr<UnreadAnswer>> answers;
  for (int i = 0; i < 20000; ++i) answers.push_back(Answer(ClientId(1), 10));
  EXPECT_GT(admission_.bytes(), 0);
  answers.clear();
  EXPECT_EQ(admission_.bytes(), 0);
  const auto after = Answer(ClientId(1), 10);
  EXPECT_EQ(admission_.bytes(), 0) << "there is room again";
}

TEST_F(UnreadAnswerTest, WhoDoesNotReadGetsNoMore) {
  std::vector<std::unique_ptr<UnreadAnswer>> answers;
  while (all_.CheckRoom(ClientId(1)).ok()) {
    ASSERT_LT(answers.size(), 10000);
    answers.push_back(Answer(ClientId(1), 60 << 10));
  }
  EXPECT_EQ(all_.CheckRoom(ClientId(1)).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(all_.CheckRoom(ClientId(2)).ok()) << "another host";
  answers.clear();
  EXPECT_TRUE(all_.CheckRoom(ClientId(1)).ok());
}

}  // namespace
}  // namespace slice
