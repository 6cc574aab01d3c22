#include "server/scheduling/client_queues.h"

namespace slice {

void ClientQueues::Push(const QueuedItem& queued) {
  hosts_.Push(queued);
  ++items_;
  cost_ += queued.order.cost;
}

std::optional<QueuedItem> ClientQueues::Pop(const BatchKey* key) {
  if (hosts_.Front(key) == nullptr) return std::nullopt;
  const QueuedItem queued = hosts_.Pop(key);
  --items_;
  cost_ -= queued.order.cost;
  return queued;
}

void ClientQueues::RemoveLate(absl::Time now, std::vector<WorkItem*>& late) {
  hosts_.RemoveLate(now, [&](const QueuedItem& queued) {
    late.push_back(queued.item);
    --items_;
    cost_ -= queued.order.cost;
  });
}

size_t ClientQueues::clients() const {
  size_t clients = 0;
  hosts_.ForEach([&](const Clients& host) { clients += host.size(); });
  return clients;
}

}  // namespace slice
