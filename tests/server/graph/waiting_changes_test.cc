#include "server/graph/waiting_changes.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

TEST(WaitingChangesTest, AHostGetsAtMostWhatIsFree) {
  WaitingChanges waiting;
  EXPECT_TRUE(waiting.Admit(1, WaitingChanges::kMost / 2).ok());
  // The half that is free equals what it has.
  EXPECT_EQ(waiting.Admit(1, 1).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(waiting.Admit(2, WaitingChanges::kMost / 2).ok());
  EXPECT_EQ(waiting.Admit(3, 1).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(waiting.count(), WaitingChanges::kMost);
  waiting.Release(1, WaitingChanges::kMost / 2);
  EXPECT_TRUE(waiting.Admit(3, 1).ok());
  EXPECT_EQ(waiting.count(), WaitingChanges::kMost / 2 + 1);
}

TEST(WaitingChangesTest, AnUpdateWithoutChangesTakesNoRoom) {
  WaitingChanges waiting;
  EXPECT_TRUE(waiting.Admit(1, 0).ok());
  EXPECT_TRUE(waiting.Admit(1, 0).ok());
  waiting.Release(1, 0);
  waiting.Release(1, 0);
  EXPECT_EQ(waiting.count(), 0);
  EXPECT_TRUE(waiting.Admit(1, WaitingChanges::kMost / 2).ok());
}

TEST(WaitingChangesTest, ARefusalAsksToRetry) {
  WaitingChanges waiting;
  const absl::Status refused = waiting.Admit(1, WaitingChanges::kMost + 1);
  EXPECT_TRUE(refused.GetPayload("type.googleapis.com/google.rpc.RetryInfo")
                  .has_value());
  EXPECT_EQ(waiting.count(), 0);
}

}  // namespace
}  // namespace slice
