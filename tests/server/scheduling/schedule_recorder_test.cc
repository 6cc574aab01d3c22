#include "server/scheduling/schedule_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "common/files.h"
#include "server/scheduling/observed_batch.h"
#include "tests/server/fake_work.h"
#include "tests/server/recorded_schedule.h"
#include "tests/testing/fake_clock.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ScheduleRecorderTest : public ::testing::Test {
 protected:
  std::unique_ptr<ScheduleRecorder> Create(
      size_t max_bytes = ScheduleRecorder::kMaxBytes) {
    auto recorder =
        ScheduleRecorder::Create(path_, limits_, &clock_, max_bytes);
    EXPECT_TRUE(recorder.ok()) << recorder.status();
    return *std::move(recorder);
  }

  std::vector<WorkItem*> Items(size_t count) {
    std::vector<WorkItem*> items;
    for (size_t i = 0; i < count; ++i) items.push_back(&items_.emplace_back());
    return items;
  }

  std::string Written(const ScheduleRecorder& recorder) {
    EXPECT_TRUE(recorder.Write().ok());
    const auto text = ReadFile(path_);
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }

  const TempDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "schedule";
  const ScheduleLimits limits_ = {
      {100, 5000}, {.max_batch_cost = 8, .max_bulk_batch_cost = 4}, {}};
  FakeClock clock_;
  std::deque<FakeItem> items_;
  int models_[2] = {};
};

TEST_F(ScheduleRecorderTest, WritesALineForEachEvent) {
  const auto recorder = Create();
  const auto items = Items(5);
  clock_.Advance(absl::Microseconds(7));
  ServiceOrder order;
  order.key = {&models_[0], true};
  order.client = ClientId(0xabcdef);
  order.cost = 3;
  order.deadline = clock_.Now() + absl::Milliseconds(2);
  recorder->Arrived({RequestClass::kInteractive, 5, 15, 900}, order, items);
  order.request_class = RequestClass::kBulk;
  order.client = ClientId(77);
  order.key = {&models_[1], false};
  recorder->Arrived({RequestClass::kBulk, 4, 12, 100}, order, {});
  clock_.Advance(absl::Microseconds(3));
  EXPECT_EQ(
      recorder->BatchStarted(WorkStage::kContext,
                             {{items[0], items[1], items[3]}, {items[2]}}),
      0);
  EXPECT_EQ(recorder->BatchStarted(WorkStage::kModel, {{items[3]}, {}}), 1);
  clock_.Advance(absl::Microseconds(10));
  recorder->BatchEnded(0);
  EXPECT_EQ(Written(*recorder),
            "slice-schedule 1 100 5000 8 4 64 16 1 1\n"
            "arrive 7 interactive 0 5 3 2007 900 0 1 0\n"
            "arrive 7 bulk 1 4 3 2007 100 1 0 -\n"
            "start 10 context 0 0-1,3 2\n"
            "start 10 model 1 3 -\n"
            "end 20 0\n");
}

TEST_F(ScheduleRecorderTest, WhatIsWrittenIsReadBack) {
  const auto recorder = Create();
  const auto items = Items(3);
  ServiceOrder order;
  order.deadline = clock_.Now() + absl::Seconds(1);
  recorder->Arrived({RequestClass::kBulk, 3, 3, 10}, order, items);
  {
    ObservedBatch batch(recorder.get(), WorkStage::kModel,
                        {{items[0], items[2]}, {items[1]}});
    clock_.Advance(absl::Microseconds(42));
  }
  const auto schedule = ParseSchedule(Written(*recorder));
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_EQ(schedule->limits.admission.max_items, 100);
  EXPECT_EQ(schedule->limits.context_order.max_bulk_batch_cost, 4);
  ASSERT_EQ(schedule->arrivals.size(), 1);
  EXPECT_EQ(schedule->arrivals[0].work.request_class, RequestClass::kBulk);
  EXPECT_EQ(schedule->arrivals[0].deadline, absl::Seconds(1));
  EXPECT_EQ(schedule->arrivals[0].first_item, 0);
  ASSERT_EQ(schedule->batches.size(), 1);
  EXPECT_THAT(schedule->batches[0].items, ElementsAre(0, 2));
  EXPECT_THAT(schedule->batches[0].dropped, ElementsAre(1));
  EXPECT_EQ(schedule->batches[0].end, absl::Microseconds(42));
  EXPECT_FALSE(schedule->full);
}

// A later item may get the memory of an item that has ended.
TEST_F(ScheduleRecorderTest, AnAddressUsedAgainIsANewItem) {
  const auto recorder = Create();
  const auto items = Items(1);
  for (int i = 0; i < 2; ++i) {
    recorder->Arrived({RequestClass::kInteractive, 1, 1, 1}, {}, items);
    recorder->BatchStarted(WorkStage::kContext, {{items[0]}, {}});
  }
  const auto schedule = ParseSchedule(Written(*recorder));
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_THAT(schedule->batches[0].items, ElementsAre(0));
  EXPECT_THAT(schedule->batches[1].items, ElementsAre(1));
}

TEST_F(ScheduleRecorderTest, EndsWhereItIsFull) {
  const auto recorder = Create(1000);
  const auto items = Items(10);
  for (int i = 0; i < 1000; ++i) {
    recorder->Arrived({RequestClass::kInteractive, 10, 10, 1}, {}, items);
    recorder->BatchEnded(
        recorder->BatchStarted(WorkStage::kModel, {items, {}}));
  }
  const std::string text = Written(*recorder);
  EXPECT_LT(text.size(), 1100);
  EXPECT_THAT(text, HasSubstr("\nfull 0\n"));
  const auto schedule = ParseSchedule(text);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_TRUE(schedule->full);
}

TEST_F(ScheduleRecorderTest, AMissingFolderIsRefused) {
  const auto recorder = ScheduleRecorder::Create(
      directory_.path() / "absent" / "schedule", limits_, &clock_);
  EXPECT_EQ(recorder.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(recorder.status().message()),
              HasSubstr("--record-schedule: there is no directory"));
}

TEST(ParseScheduleTest, NamesALineThatIsNone) {
  for (const char* text :
       {"arrive 1\n", "slice-schedule 2\n",
        "slice-schedule 1 1 1 1 1 1 1 1 1\nend 5 0\n",
        "slice-schedule 1 1 1 1 1 1 1 1 1\nstart 5 context 3 0 -\n"}) {
    EXPECT_EQ(ParseSchedule(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace slice
