// Deficit round robin (Shreedhar and Varghese, SIGCOMM 1995): queues take
// turns, and in the long run each queue gives the same cost of work.
#ifndef SLICE_SERVER_SCHEDULING_CLIENT_TURNS_H_
#define SLICE_SERVER_SCHEDULING_CLIENT_TURNS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "absl/time/time.h"
#include "server/scheduling/deadline_lines.h"
#include "server/scheduling/work_item.h"

namespace slice {

// Holds one queue of type `Queue` for each value of the member `kId` of
// ClientId. Turns has the methods of a queue itself, so that it can be a
// `Queue`: hosts take turns, and within each host its clients.
// Thread-compatible.
template <typename Queue, uint64_t ClientId::*kId>
class Turns {
 public:
  // `quantum` is the total cost of the items that a queue may give in one turn.
  explicit Turns(size_t quantum) : quantum_(quantum) {}
  Turns(const Turns& other) : quantum_(other.quantum_), queues_(other.queues_) {
    for (auto at = queues_.begin(); at != queues_.end(); ++at) {
      by_id_[at->id] = at;
    }
  }
  Turns& operator=(const Turns&) = delete;

  void Push(const QueuedItem& queued) {
    const uint64_t id = queued.order.client.*kId;
    auto [found, is_new] = by_id_.try_emplace(id);
    if (is_new) {
      found->second = queues_.emplace(queues_.end(), id, quantum_);
    }
    found->second->queue.Push(queued);
  }

  // Returns the next item, or with a `key` the next item of that batch key;
  // null when there is none. Gives the turn to the queue of that item. The
  // pointer is valid until the next change.
  const QueuedItem* Front(const BatchKey* key) {
    size_t without = 0;  // queues in a row without an item of the key
    while (without < queues_.size()) {
      Member& member = queues_.front();
      const QueuedItem* const first = member.queue.Front(key);
      if (first == nullptr) {
        ++without;
        EndTurn();
        continue;
      }
      without = 0;
      if (!member.has_turn) member.deficit += quantum_;
      member.has_turn = true;
      if (member.deficit >= first->order.cost) return first;
      EndTurn();
    }
    return nullptr;
  }

  // Removes the item that Front returned. REQUIRES: Front was called with this
  // key, returned an item, and nothing changed since.
  QueuedItem Pop(const BatchKey* key) {
    Member& member = queues_.front();
    const QueuedItem queued = member.queue.Pop(key);
    member.deficit -= queued.order.cost;
    if (member.queue.empty()) {  // an idle queue saves up no deficit
      by_id_.erase(member.id);
      queues_.pop_front();
    }
    return queued;
  }

  // Removes the items whose deadline is not after `now` and calls `late` with
  // each of them.
  template <typename Late>
  void RemoveLate(absl::Time now, Late late) {
    for (auto at = queues_.begin(); at != queues_.end();) {
      at->queue.RemoveLate(now, late);
      if (!at->queue.empty()) {
        ++at;
        continue;
      }
      by_id_.erase(at->id);
      at = queues_.erase(at);
    }
  }

  bool empty() const { return queues_.empty(); }
  size_t size() const { return queues_.size(); }

  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Member& member : queues_) visit(member.queue);
  }
  // The earliest deadline, and when the oldest item was queued. Both are
  // InfiniteFuture when there are no items.
  absl::Time EarliestDeadline() const {
    absl::Time earliest = absl::InfiniteFuture();
    ForEach([&](const Queue& queue) {
      earliest = std::min(earliest, queue.EarliestDeadline());
    });
    return earliest;
  }
  absl::Time OldestEnqueued() const {
    absl::Time oldest = absl::InfiniteFuture();
    ForEach([&](const Queue& queue) {
      oldest = std::min(oldest, queue.OldestEnqueued());
    });
    return oldest;
  }

 private:
  struct Member {
    Member(uint64_t its_id, size_t quantum) : id(its_id), queue(quantum) {}

    uint64_t id;
    Queue queue;  // never empty
    size_t deficit = 0;
    bool has_turn = false;
  };

  void EndTurn() {
    queues_.front().has_turn = false;
    queues_.splice(queues_.end(), queues_, queues_.begin());
  }

  const size_t quantum_;
  std::list<Member> queues_;  // the front has its turn
  std::unordered_map<uint64_t, typename std::list<Member>::iterator> by_id_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_CLIENT_TURNS_H_
