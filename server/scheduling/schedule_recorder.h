// Records what the scheduler did, for a replay in simulated time
// (tests/server/schedule_replay_test.cc).
//
// The format is text. Each line is one event, in the order of the events. Words
// are separated by blanks; times are microseconds since the start of the
// recording:
//   slice-schedule 1 <max_items> <max_bytes> <context batch cost>
//       <its bulk cost> <model batch cost> <its bulk cost>
//       <context workers> <executors>
//   arrive <time> <interactive|bulk> <client> <items> <cost of an item>
//       <deadline> <bytes> <model> <explain 0|1> <first item, or - if refused>
//   start <time> <context|model> <batch> <items> <dropped items>
//   end <time> <batch>
//   full <time>          the recording is full: no event follows
// Items, batches, clients and models are recorded as numbers from 0 on; no name
// and no content of a request is recorded. Lists of items look like "0-7,9",
// and "-" is the empty list.
#ifndef SLICE_SERVER_SCHEDULING_SCHEDULE_RECORDER_H_
#define SLICE_SERVER_SCHEDULING_SCHEDULE_RECORDER_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/scheduling/batch_queue.h"
#include "server/scheduling/schedule_observer.h"

namespace slice {

// The settings that decide how the scheduler acts.
struct ScheduleLimits {
  AdmissionOptions admission;
  BatchQueueOptions context_order;
  BatchQueueOptions model_order;
  int context_workers = 1;
  int executors = 1;
};

// Thread-safe. Holds the recording in memory until Write.
class ScheduleRecorder final : public ScheduleObserver {
 public:
  // About the most bytes that a recording takes, in memory and in the file.
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  // INVALID_ARGUMENT when the directory of `path` does not exist. `clock` must
  // outlive the recorder.
  static absl::StatusOr<std::unique_ptr<ScheduleRecorder>> Create(
      const std::filesystem::path& path, const ScheduleLimits& limits,
      const Clock* clock, size_t max_bytes = kMaxBytes);

  void Arrived(const RequestedWork& work, const ServiceOrder& order,
               std::span<WorkItem* const> items) override;
  uint64_t BatchStarted(WorkStage stage, const WorkBatch& batch) override;
  void BatchEnded(uint64_t number) override;

  // Writes the file: all of it or nothing.
  absl::Status Write() const;

 private:
  ScheduleRecorder(std::filesystem::path path, const ScheduleLimits& limits,
                   const Clock* clock, size_t max_bytes);

  // Begins the line of an event; false when the recording is full.
  bool Begin(const char* event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int64_t Micros(absl::Time time) const;
  void AddItems(const std::vector<WorkItem*>& items)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::filesystem::path path_;
  const Clock* const clock_;
  const absl::Time start_;
  const size_t max_bytes_;

  mutable Mutex mutex_;
  std::string text_ ABSL_GUARDED_BY(mutex_);
  bool full_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t next_item_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t next_batch_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unordered_map<const WorkItem*, uint64_t> items_ ABSL_GUARDED_BY(mutex_);
  std::map<ClientId, size_t> clients_ ABSL_GUARDED_BY(mutex_);
  std::unordered_map<const void*, size_t> models_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_SCHEDULE_RECORDER_H_
