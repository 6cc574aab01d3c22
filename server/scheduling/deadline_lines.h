// The waiting items of one client.
#ifndef SLICE_SERVER_SCHEDULING_DEADLINE_LINES_H_
#define SLICE_SERVER_SCHEDULING_DEADLINE_LINES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "server/scheduling/work_item.h"

namespace slice {

// An item in a queue. Ties of deadlines are served in order of arrival.
struct QueuedItem {
  WorkItem* item = nullptr;
  ServiceOrder order;
  absl::Time enqueued;
  uint64_t sequence = 0;
};

// A line for each batch key, the earliest deadline first. Thread-compatible.
class DeadlineLines {
 public:
  explicit DeadlineLines(size_t /*quantum*/) {}

  void Push(const QueuedItem& queued);

  // The item to be served first, of this key if there is one; null when there
  // is none. Valid until the next change.
  const QueuedItem* Front(const BatchKey* key);

  // Removes it. REQUIRES: Front with this key gave one, and nothing changed
  // since.
  QueuedItem Pop(const BatchKey* key);

  // Calls `late` with the items whose deadline is not after `now`, and removes
  // them.
  template <typename Late>
  void RemoveLate(absl::Time now, Late late) {
    for (auto& [key, line] : lines_) {
      while (!line.empty() && line.begin()->first <= now) late(PopFrom(line));
    }
    RemoveEmptyLines();
  }

  bool empty() const { return lines_.empty(); }
  // Both InfiniteFuture when empty; O(keys) and O(deadlines).
  absl::Time EarliestDeadline() const;
  absl::Time OldestEnqueued() const;

 private:
  // Items by deadline, and by arrival within one: those of a request have the
  // same, so that most come and go at the ends of a list. No list is empty.
  using Line = std::map<absl::Time, std::deque<QueuedItem>>;

  Line* Choose(const BatchKey* key);
  static QueuedItem PopFrom(Line& line);
  void RemoveEmptyLines();

  std::vector<std::pair<BatchKey, Line>> lines_;  // none is empty
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_DEADLINE_LINES_H_
