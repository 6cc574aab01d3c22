// The waiting items of one request class, in a queue per client. Hosts take
// turns, and the clients of a host take turns within the turns of the host. A
// host that sends more, or under more client names, gets no more than its share
// while others wait.
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
  // A client may take items of cost `quantum` in a row, and so may a host.
  explicit ClientQueues(size_t quantum) : hosts_(quantum) {}

  void Push(const QueuedItem& queued);

  // Removes the next item: the item with the earliest deadline of the client
  // whose turn it is. With a key, only items of that key count. nullopt when
  // there is none.
  std::optional<QueuedItem> Pop(const BatchKey* key);

  // Moves the items whose deadline is not after `now` to the end of `late`.
  void RemoveLate(absl::Time now, std::vector<WorkItem*>& late);

  bool empty() const { return items_ == 0; }
  size_t items() const { return items_; }
  size_t cost() const { return cost_; }  // of all items
  size_t clients() const;                // O(hosts)
  // Both InfiniteFuture when empty; O(clients) and O(deadlines).
  absl::Time EarliestDeadline() const { return hosts_.EarliestDeadline(); }
  absl::Time OldestEnqueued() const { return hosts_.OldestEnqueued(); }

 private:
  using Clients = Turns<DeadlineLines, &ClientId::name>;

  Turns<Clients, &ClientId::host> hosts_;
  size_t items_ = 0;
  size_t cost_ = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_CLIENT_QUEUES_H_
