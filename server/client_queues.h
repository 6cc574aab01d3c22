// The waiting items of one request class: a queue per client, served by deficit
// round robin (Shreedhar and Varghese, SIGCOMM 1995), so that a client who
// sends more does not get more than its share while others wait.
#ifndef SLICE_SERVER_CLIENT_QUEUES_H_
#define SLICE_SERVER_CLIENT_QUEUES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
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
  // Both InfiniteFuture when empty; O(clients) and O(deadlines).
  absl::Time EarliestDeadline() const;
  absl::Time OldestEnqueued() const;

 private:
  // Items by deadline, and by arrival within one: those of a request have the
  // same, so that most come and go at the ends of a list. No list is empty.
  using Line = std::map<absl::Time, std::deque<QueuedItem>>;
  struct Client {
    uint64_t id = 0;
    std::vector<std::pair<BatchKey, Line>> lines;  // none is empty
    size_t deficit = 0;
    bool has_turn = false;

    Line* Choose(const BatchKey* key);
    void RemoveEmptyLines();
  };
  using Rotation = std::list<Client>;  // the front has its turn

  void EndTurn();
  // The one that is served first. REQUIRES: `line` is not empty.
  QueuedItem PopFrom(Line& line);

  const size_t quantum_;
  Rotation clients_;  // none is empty
  std::unordered_map<uint64_t, Rotation::iterator> by_id_;
  size_t items_ = 0;
  size_t cost_ = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_CLIENT_QUEUES_H_
