#include "server/client_queues.h"

#include <algorithm>
#include <iterator>

namespace slice {
namespace {

// Puts the earliest deadline in front of a heap.
bool IsServedLater(const QueuedItem& a, const QueuedItem& b) {
  if (a.order.deadline != b.order.deadline) {
    return a.order.deadline > b.order.deadline;
  }
  return a.sequence > b.sequence;
}

}  // namespace

ClientQueues::ClientQueues(const ClientQueues& other)
    : quantum_(other.quantum_),
      clients_(other.clients_),
      items_(other.items_),
      cost_(other.cost_) {
  for (auto client = clients_.begin(); client != clients_.end(); ++client) {
    by_id_[client->id] = client;
  }
}

ClientQueues::Heap* ClientQueues::Client::Choose(const BatchKey* key) {
  Heap* chosen = nullptr;
  for (auto& [heap_key, heap] : heaps) {
    if (key != nullptr && heap_key != *key) continue;
    if (chosen == nullptr || IsServedLater(chosen->front(), heap.front())) {
      chosen = &heap;
    }
  }
  return chosen;
}

void ClientQueues::Client::RemoveEmptyHeaps() {
  std::erase_if(heaps, [](const auto& entry) { return entry.second.empty(); });
}

void ClientQueues::Push(const QueuedItem& queued) {
  auto [found, is_new] = by_id_.try_emplace(queued.order.client);
  if (is_new) {
    found->second = clients_.emplace(clients_.end());
    found->second->id = queued.order.client;
  }
  auto& heaps = found->second->heaps;
  auto at = std::find_if(heaps.begin(), heaps.end(), [&](const auto& entry) {
    return entry.first == queued.order.key;
  });
  if (at == heaps.end()) at = heaps.insert(at, {queued.order.key, Heap()});
  at->second.push_back(queued);
  std::push_heap(at->second.begin(), at->second.end(), IsServedLater);
  ++items_;
  cost_ += queued.order.cost;
}

// The next client has its turn.
void ClientQueues::EndTurn() {
  clients_.front().has_turn = false;
  clients_.splice(clients_.end(), clients_, clients_.begin());
}

QueuedItem ClientQueues::PopFrom(Heap& heap) {
  std::pop_heap(heap.begin(), heap.end(), IsServedLater);
  const QueuedItem queued = heap.back();
  heap.pop_back();
  --items_;
  cost_ -= queued.order.cost;
  return queued;
}

std::optional<QueuedItem> ClientQueues::Pop(const BatchKey* key) {
  size_t without = 0;  // clients in a row that have nothing of the key
  while (without < clients_.size()) {
    Client& client = clients_.front();
    Heap* heap = client.Choose(key);
    if (heap == nullptr) {
      ++without;
      EndTurn();
      continue;
    }
    without = 0;
    if (!client.has_turn) client.deficit += quantum_;
    client.has_turn = true;
    const size_t cost = heap->front().order.cost;
    if (client.deficit < cost) {
      EndTurn();
      continue;
    }
    client.deficit -= cost;
    const QueuedItem queued = PopFrom(*heap);
    client.RemoveEmptyHeaps();
    if (client.heaps.empty()) {  // an idle client saves nothing up
      by_id_.erase(client.id);
      clients_.pop_front();
    }
    return queued;
  }
  return std::nullopt;
}

void ClientQueues::RemoveLate(absl::Time now, std::vector<WorkItem*>& late) {
  for (auto client = clients_.begin(); client != clients_.end();) {
    for (auto& [key, heap] : client->heaps) {
      while (!heap.empty() && heap.front().order.deadline <= now) {
        late.push_back(PopFrom(heap).item);
      }
    }
    client->RemoveEmptyHeaps();
    const auto next = std::next(client);
    if (client->heaps.empty()) {
      by_id_.erase(client->id);
      clients_.erase(client);
    }
    client = next;
  }
}

absl::Time ClientQueues::EarliestDeadline() const {
  absl::Time earliest = absl::InfiniteFuture();
  for (const Client& client : clients_) {
    for (const auto& [key, heap] : client.heaps) {
      earliest = std::min(earliest, heap.front().order.deadline);
    }
  }
  return earliest;
}

absl::Time ClientQueues::OldestEnqueued() const {
  absl::Time oldest = absl::InfiniteFuture();
  for (const Client& client : clients_) {
    for (const auto& [key, heap] : client.heaps) {
      for (const QueuedItem& queued : heap) {
        oldest = std::min(oldest, queued.enqueued);
      }
    }
  }
  return oldest;
}

}  // namespace slice
