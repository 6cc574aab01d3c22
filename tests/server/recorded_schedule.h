// Reads what ScheduleRecorder writes (server/scheduling/schedule_recorder.h).
#ifndef SLICE_TESTS_SERVER_RECORDED_SCHEDULE_H_
#define SLICE_TESTS_SERVER_RECORDED_SCHEDULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/scheduling/schedule_recorder.h"

namespace slice {

struct RecordedArrival {
  absl::Duration time;
  RequestedWork work;
  uint64_t client = 0;
  size_t cost = 1;  // of each item
  absl::Duration deadline;
  size_t model = 0;
  bool explain = false;
  std::optional<uint64_t> first_item;  // nullopt: refused
};

struct RecordedBatch {
  WorkStage stage = WorkStage::kContext;
  absl::Duration start;
  std::optional<absl::Duration> end;  // nullopt: still running
  std::vector<uint64_t> items;
  std::vector<uint64_t> dropped;
};

struct RecordedSchedule {
  ScheduleLimits limits;
  std::vector<RecordedArrival> arrivals;
  std::vector<RecordedBatch> batches;  // by number
  bool full = false;
};

// INVALID_ARGUMENT with the number of the first malformed line.
absl::StatusOr<RecordedSchedule> ParseSchedule(const std::string& text);

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_RECORDED_SCHEDULE_H_
