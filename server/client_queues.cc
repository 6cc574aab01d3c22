#include "server/client_queues.h"

#include <algorithm>
#include <iterator>

namespace slice {
namespace {

bool IsServedBefore(const QueuedItem& a, const QueuedItem& b) {
  if (a.order.deadline != b.order.deadline) {
    return a.order.deadline < b.order.deadline;
  }
  return a.sequence < b.sequence;
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

ClientQueues::Line* ClientQueues::Client::Choose(const BatchKey* key) {
  const auto first = [](const Line& line) -> const QueuedItem& {
    return line.begin()->second.front();
  };
  Line* chosen = nullptr;
  for (auto& [line_key, line] : lines) {
    if (key != nullptr && line_key != *key) continue;
    if (chosen == nullptr || IsServedBefore(first(line), first(*chosen))) {
      chosen = &line;
    }
  }
  return chosen;
}

void ClientQueues::Client::RemoveEmptyLines() {
  std::erase_if(lines, [](const auto& entry) { return entry.second.empty(); });
}

void ClientQueues::Push(const QueuedItem& queued) {
  auto [found, is_new] = by_id_.try_emplace(queued.order.client);
  if (is_new) {
    found->second = clients_.emplace(clients_.end());
    found->second->id = queued.order.client;
  }
  auto& lines = found->second->lines;
  auto at = std::find_if(lines.begin(), lines.end(), [&](const auto& entry) {
    return entry.first == queued.order.key;
  });
  if (at == lines.end()) at = lines.insert(at, {queued.order.key, Line()});
  at->second[queued.order.deadline].push_back(queued);
  ++items_;
  cost_ += queued.order.cost;
}

// The next client has its turn.
void ClientQueues::EndTurn() {
  clients_.front().has_turn = false;
  clients_.splice(clients_.end(), clients_, clients_.begin());
}

QueuedItem ClientQueues::PopFrom(Line& line) {
  const auto earliest = line.begin();
  const QueuedItem queued = earliest->second.front();
  earliest->second.pop_front();
  if (earliest->second.empty()) line.erase(earliest);
  --items_;
  cost_ -= queued.order.cost;
  return queued;
}

std::optional<QueuedItem> ClientQueues::Pop(const BatchKey* key) {
  size_t without = 0;  // clients in a row that have nothing of the key
  while (without < clients_.size()) {
    Client& client = clients_.front();
    Line* line = client.Choose(key);
    if (line == nullptr) {
      ++without;
      EndTurn();
      continue;
    }
    without = 0;
    if (!client.has_turn) client.deficit += quantum_;
    client.has_turn = true;
    const size_t cost = line->begin()->second.front().order.cost;
    if (client.deficit < cost) {
      EndTurn();
      continue;
    }
    client.deficit -= cost;
    const QueuedItem queued = PopFrom(*line);
    client.RemoveEmptyLines();
    if (client.lines.empty()) {  // an idle client saves nothing up
      by_id_.erase(client.id);
      clients_.pop_front();
    }
    return queued;
  }
  return std::nullopt;
}

void ClientQueues::RemoveLate(absl::Time now, std::vector<WorkItem*>& late) {
  for (auto client = clients_.begin(); client != clients_.end();) {
    for (auto& [key, line] : client->lines) {
      while (!line.empty() && line.begin()->first <= now) {
        late.push_back(PopFrom(line).item);
      }
    }
    client->RemoveEmptyLines();
    const auto next = std::next(client);
    if (client->lines.empty()) {
      by_id_.erase(client->id);
      clients_.erase(client);
    }
    client = next;
  }
}

absl::Time ClientQueues::EarliestDeadline() const {
  absl::Time earliest = absl::InfiniteFuture();
  for (const Client& client : clients_) {
    for (const auto& [key, line] : client.lines) {
      earliest = std::min(earliest, line.begin()->first);
    }
  }
  return earliest;
}

// The items of one deadline are in order of arrival.
absl::Time ClientQueues::OldestEnqueued() const {
  absl::Time oldest = absl::InfiniteFuture();
  for (const Client& client : clients_) {
    for (const auto& [key, line] : client.lines) {
      for (const auto& [deadline, items] : line) {
        oldest = std::min(oldest, items.front().enqueued);
      }
    }
  }
  return oldest;
}

}  // namespace slice
