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

// An item in a queue.
struct QueuedItem {
  WorkItem* item = nullptr;
  ServiceOrder order;
  absl::Time enqueued;
  uint64_t sequence = 0;  // order of arrival; decides between equal deadlines
};

// One line of items for each batch key, sorted by deadline. Thread-compatible.
class DeadlineLines {
 public:
  // Turns gives every queue its quantum; lines have no use for it.
  explicit DeadlineLines(size_t /*quantum*/) {}

  void Push(const QueuedItem& queued);

  // The item to be served first; with a key, the first item of that key. Null
  // when there is none. Valid until the next change.
  const QueuedItem* Front(const BatchKey* key);

  // Removes the item that Front returned. REQUIRES: Front was called with this
  // key, returned an item, and nothing changed since.
  QueuedItem Pop(const BatchKey* key);

  // Removes the items whose deadline is not after `now` and calls `late` with
  // each of them.
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
  // Items by deadline, and by arrival within one deadline. No list is empty.
  // The items of a request have one deadline, so most items come and go at the
  // ends of a list.
  using Line = std::map<absl::Time, std::deque<QueuedItem>>;

  Line* Choose(const BatchKey* key);
  static QueuedItem PopFrom(Line& line);
  void RemoveEmptyLines();

  std::vector<std::pair<BatchKey, Line>> lines_;  // none is empty
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_DEADLINE_LINES_H_
