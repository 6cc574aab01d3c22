#include "tests/server/recorded_schedule.h"

#include <sstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace slice {
namespace {

std::vector<uint64_t> Numbers(const std::string& text) {
  std::vector<uint64_t> numbers;
  if (text == "-") return numbers;
  for (const absl::string_view range : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(range, '-');
    uint64_t first = 0, last = 0;
    if (!absl::SimpleAtoi(ends.front(), &first) ||
        !absl::SimpleAtoi(ends.back(), &last))
      continue;
    for (uint64_t number = first; number <= last; ++number)
      numbers.push_back(number);
  }
  return numbers;
}

bool ReadHead(std::istream& line, ScheduleLimits* limits) {
  limits->context_order.bulk_lane_waits = true;  // constant, not recorded
  int version = 0;
  line >> version >> limits->admission.max_items >>
      limits->admission.max_bytes >> limits->context_order.max_batch_cost >>
      limits->context_order.max_bulk_batch_cost >>
      limits->model_order.max_batch_cost >>
      limits->model_order.max_bulk_batch_cost >> limits->context_workers >>
      limits->executors;
  return !line.fail() && version == 1;
}

bool ReadArrival(std::istream& line, absl::Duration time,
                 RecordedArrival* arrival) {
  std::string request_class, first;
  int64_t deadline = 0;
  line >> request_class >> arrival->client >> arrival->work.items >>
      arrival->cost >> deadline >> arrival->work.bytes >> arrival->model >>
      arrival->explain >> first;
  arrival->time = time;
  arrival->deadline = absl::Microseconds(deadline);
  arrival->work.request_class = request_class == "bulk"
                                    ? RequestClass::kBulk
                                    : RequestClass::kInteractive;
  arrival->work.cost = arrival->work.items * arrival->cost;
  uint64_t number = 0;
  if (absl::SimpleAtoi(first, &number)) arrival->first_item = number;
  return !line.fail() && arrival->work.items > 0;
}

bool ReadBatch(std::istream& line, absl::Duration time,
               RecordedSchedule* schedule) {
  std::string stage, items, dropped;
  size_t number = 0;
  line >> stage >> number >> items >> dropped;
  if (line.fail() || number != schedule->batches.size()) return false;
  RecordedBatch& batch = schedule->batches.emplace_back();
  batch.stage = stage == "model" ? WorkStage::kModel : WorkStage::kContext;
  batch.start = time;
  batch.items = Numbers(items);
  batch.dropped = Numbers(dropped);
  return true;
}

bool ReadEvent(const std::string& event, std::istream& line,
               RecordedSchedule* schedule) {
  if (event == "slice-schedule") return ReadHead(line, &schedule->limits);
  int64_t micros = 0;
  line >> micros;
  const absl::Duration time = absl::Microseconds(micros);
  if (event == "arrive") {
    RecordedArrival& arrival = schedule->arrivals.emplace_back();
    // Every arrival gets its own client, because the server that recorded the
    // schedule did not bound what one client may have inside.
    arrival.work.client = ClientId(schedule->arrivals.size());
    return ReadArrival(line, time, &arrival);
  }
  if (event == "start") return ReadBatch(line, time, schedule);
  if (event == "end") {
    size_t number = 0;
    line >> number;
    if (line.fail() || number >= schedule->batches.size()) return false;
    schedule->batches[number].end = time;
    return true;
  }
  schedule->full = true;
  return event == "full" && !line.fail();
}

}  // namespace

absl::StatusOr<RecordedSchedule> ParseSchedule(const std::string& text) {
  RecordedSchedule schedule;
  std::istringstream lines(text);
  std::string content;
  for (int number = 1; std::getline(lines, content); ++number) {
    std::istringstream line(content);
    std::string event;
    line >> event;
    if ((number == 1) != (event == "slice-schedule") ||
        !ReadEvent(event, line, &schedule)) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, " is no event: ", content));
    }
  }
  return schedule;
}

}  // namespace slice
