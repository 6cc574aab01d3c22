// The recording is one string, in the format that the header describes. Each
// event adds a line, under a mutex, until the string has max_bytes.
//
// An item gets its number when its request arrives, and is known by its address
// from then on. Its number is forgotten when the model stage has taken it or
// any stage has dropped it, because another item may get the address later. An
// item that ends in another way keeps its number until its address is used
// again.
#include "server/scheduling/schedule_recorder.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"

namespace slice {
namespace {

// Writes numbers as ranges, such as "0-7,9"; "-" when there are none.
std::string Ranges(std::vector<uint64_t> numbers) {
  if (numbers.empty()) return "-";
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    absl::StrAppend(&text, text.empty() ? "" : ",", numbers[i]);
    if (last > i) absl::StrAppend(&text, "-", numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ScheduleRecorder>> ScheduleRecorder::Create(
    const std::filesystem::path& path, const ScheduleLimits& limits,
    const Clock* clock, size_t max_bytes) {
  const std::filesystem::path folder =
      path.has_parent_path() ? path.parent_path() : ".";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--record-schedule: there is no directory ", folder.string()));
  }
  return std::unique_ptr<ScheduleRecorder>(
      new ScheduleRecorder(path, limits, clock, max_bytes));
}

ScheduleRecorder::ScheduleRecorder(std::filesystem::path path,
                                   const ScheduleLimits& limits,
                                   const Clock* clock, size_t max_bytes)
    : path_(std::move(path)),
      clock_(clock),
      start_(clock->Now()),
      max_bytes_(max_bytes) {
  const AdmissionOptions& admission = limits.admission;
  const BatchQueueOptions& context = limits.context_order;
  const BatchQueueOptions& model = limits.model_order;
  MutexLock lock(&mutex_);
  absl::StrAppend(&text_, "slice-schedule 1 ", admission.max_items, " ",
                  admission.max_bytes, " ", context.max_batch_cost, " ",
                  context.max_bulk_batch_cost, " ");
  absl::StrAppend(&text_, model.max_batch_cost, " ", model.max_bulk_batch_cost,
                  " ", limits.context_workers, " ", limits.executors, "\n");
}

int64_t ScheduleRecorder::Micros(absl::Time time) const {
  return absl::ToInt64Microseconds(time - start_);
}

bool ScheduleRecorder::Begin(const char* event) {
  if (full_) return false;
  // The clock is read under the lock, so that the times of the lines ascend.
  const int64_t now = Micros(clock_->Now());
  full_ = text_.size() >= max_bytes_;
  absl::StrAppend(&text_, full_ ? "full" : event, " ", now, full_ ? "\n" : " ");
  if (full_) items_.clear();
  return !full_;
}

void ScheduleRecorder::Arrived(const RequestedWork& work,
                               const ServiceOrder& order,
                               std::span<WorkItem* const> items) {
  MutexLock lock(&mutex_);
  if (!Begin("arrive")) return;
  const bool bulk = work.request_class == RequestClass::kBulk;
  absl::StrAppend(&text_, bulk ? "bulk " : "interactive ",
                  clients_.emplace(order.client, clients_.size()).first->second,
                  " ", work.items, " ", order.cost, " ");
  absl::StrAppend(
      &text_, Micros(order.deadline), " ", work.bytes, " ",
      models_.emplace(order.key.model, models_.size()).first->second, " ",
      order.key.explain ? "1 " : "0 ");
  if (items.empty()) {
    text_ += "-\n";
    return;
  }
  absl::StrAppend(&text_, next_item_, "\n");
  // Replaces the number of an item that has ended and had the same address.
  for (const WorkItem* item : items) items_[item] = next_item_++;
}

void ScheduleRecorder::AddItems(const std::vector<WorkItem*>& items) {
  std::vector<uint64_t> numbers;
  for (const WorkItem* item : items) {
    const auto found = items_.find(item);
    if (found != items_.end()) numbers.push_back(found->second);
  }
  absl::StrAppend(&text_, " ", Ranges(std::move(numbers)));
}

uint64_t ScheduleRecorder::BatchStarted(WorkStage stage,
                                        const WorkBatch& batch) {
  MutexLock lock(&mutex_);
  const uint64_t number = next_batch_++;
  if (!Begin("start")) return number;
  const bool model = stage == WorkStage::kModel;
  absl::StrAppend(&text_, model ? "model " : "context ", number);
  AddItems(batch.items);
  AddItems(batch.dropped);
  text_ += "\n";
  for (const WorkItem* item : batch.dropped) items_.erase(item);
  if (model) {
    for (const WorkItem* item : batch.items) items_.erase(item);
  }
  return number;
}

void ScheduleRecorder::BatchEnded(uint64_t number) {
  MutexLock lock(&mutex_);
  if (Begin("end")) absl::StrAppend(&text_, number, "\n");
}

absl::Status ScheduleRecorder::Write() const {
  std::string text;
  {
    MutexLock lock(&mutex_);
    text = text_;
  }
  return WriteFileAtomically(path_, text);
}

}  // namespace slice
