// The waiting items of one request class: a queue per client, served by deficit
// round robin (Shreedhar and Varghese, SIGCOMM 1995), so that a client who
// sends more does not get more than its share while others wait.
#ifndef SLICE_SERVER_CLIENT_QUEUES_H_
#define SLICE_SERVER_CLIENT_QUEUES_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "server/work_item.h"

namespace slice {

// An item in a queue. Ties of deadlines are served in order of arrival.
struct QueuedItem {
  WorkItem* item = nullptr;
  ServiceOrder order;
  absl::Time enqueued;
  uint64_t sequence = 0;
};

// Thread-compatible; reads no clock.
class ClientQueues {
 public:
  // A client may take items of this much cost in a row.
  explicit ClientQueues(size_t quantum) : quantum_(quantum) {}
  ClientQueues(const ClientQueues& other);
  ClientQueues& operator=(const ClientQueues&) = delete;

  void Push(const QueuedItem& queued);

  // Removes the next item: that with the earliest deadline of the client whose
  // turn it is. With a key, the next one of that key; nullopt when there is
  // none.
  std::optional<QueuedItem> Pop(const BatchKey* key);

  // Moves the items whose deadline is not after `now` to `late`.
  void RemoveLate(absl::Time now, std::vector<WorkItem*>& late);

  bool empty() const { return clients_.empty(); }
  size_t items() const { return items_; }
  size_t cost() const { return cost_; }  // of all items
  size_t clients() const { return clients_.size(); }
  // Both InfiniteFuture when empty; O(clients) and O(items).
  absl::Time EarliestDeadline() const;
  absl::Time OldestEnqueued() const;

 private:
  using Heap = std::vector<QueuedItem>;  // earliest deadline in front
  struct Client {
    uint64_t id = 0;
    std::vector<std::pair<BatchKey, Heap>> heaps;  // none is empty
    size_t deficit = 0;
    bool has_turn = false;

    Heap* Choose(const BatchKey* key);
    void RemoveEmptyHeaps();
  };
  using Rotation = std::list<Client>;  // the front has its turn

  void EndTurn();
  QueuedItem PopFrom(Heap& heap);

  const size_t quantum_;
  Rotation clients_;  // none is empty
  std::unordered_map<uint64_t, Rotation::iterator> by_id_;
  size_t items_ = 0;
  size_t cost_ = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_CLIENT_QUEUES_H_
