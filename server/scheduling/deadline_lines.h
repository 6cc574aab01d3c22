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

// Keeps one line (a queue) of items for each batch key, sorted by deadline.
// Thread-compatible.
class DeadlineLines {
 public:
  // Turns passes its quantum to every queue that it makes; this class does not
  // need it.
  explicit DeadlineLines(size_t /*quantum*/) {}

  void Push(const QueuedItem& queued);

  // Returns the item to be served first, or with a `key` the first item of that
  // batch key; null when there is none. The pointer is valid until the next
  // change.
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
  // The earliest deadline of the items; InfiniteFuture when there are none.
  // Takes O(number of batch keys).
  absl::Time EarliestDeadline() const;
  // When the oldest item was queued; InfiniteFuture when there are none. Takes
  // O(number of different deadlines).
  absl::Time OldestEnqueued() const;

 private:
  // Items by deadline; items of one deadline are in order of arrival. No deque
  // is empty. All items of a request have the same deadline, so most items come
  // and go at the ends of a deque.
  using Line = std::map<absl::Time, std::deque<QueuedItem>>;

  Line* Choose(const BatchKey* key);
  static QueuedItem PopFrom(Line& line);
  void RemoveEmptyLines();

  std::vector<std::pair<BatchKey, Line>> lines_;  // none is empty
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_DEADLINE_LINES_H_
