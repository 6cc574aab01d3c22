// The waiting items of one request class, in a queue per client. Hosts take
// turns, and the clients of a host take turns within the turns of the host.
// While others wait, a host gets no larger share by sending more items or by
// using more client names.
#ifndef SLICE_SERVER_SCHEDULING_CLIENT_QUEUES_H_
#define SLICE_SERVER_SCHEDULING_CLIENT_QUEUES_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "server/scheduling/client_turns.h"
#include "server/scheduling/deadline_lines.h"
#include "server/scheduling/work_item.h"

namespace slice {

// Thread-compatible; reads no clock.
class ClientQueues {
 public:
  // `quantum` is the total cost of the items that a host, or a client of a
  // host, may take in one turn.
  explicit ClientQueues(size_t quantum) : hosts_(quantum) {}

  void Push(const QueuedItem& queued);

  // Removes the next item: the item with the earliest deadline of the client
  // whose turn it is. With a `key`, only items of that batch key count. Returns
  // nullopt when there is no such item.
  std::optional<QueuedItem> Pop(const BatchKey* key);

  // Removes the items whose deadline is not after `now` and appends them to
  // `late`.
  void RemoveLate(absl::Time now, std::vector<WorkItem*>& late);

  bool empty() const { return items_ == 0; }
  size_t items() const { return items_; }
  size_t cost() const { return cost_; }  // of all items
  // The number of clients that have items. Takes O(hosts).
  size_t clients() const;
  // The earliest deadline of the items; InfiniteFuture when there are none.
  // Takes O(clients).
  absl::Time EarliestDeadline() const { return hosts_.EarliestDeadline(); }
  // When the oldest item was queued; InfiniteFuture when there are none. Takes
  // O(number of different deadlines).
  absl::Time OldestEnqueued() const { return hosts_.OldestEnqueued(); }

 private:
  using Clients = Turns<DeadlineLines, &ClientId::name>;

  Turns<Clients, &ClientId::host> hosts_;
  size_t items_ = 0;
  size_t cost_ = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_CLIENT_QUEUES_H_
