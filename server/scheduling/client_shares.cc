// Keeps sums per host and per client, for as long as they are not zero.
//
// CostUntilDone follows deficit round robin. While the cost c of one client is
// served, every other client of the host is served min(d, c + quantum), where d
// is the cost of that other client. The same rule between hosts gives the cost
// of all hosts. Of the others, kAddedUp are added up one by one; the sum of the
// rest is bounded.
#include "server/scheduling/client_shares.h"

#include <algorithm>

namespace slice {
namespace {

// The costs of this many other hosts or clients are added up one by one. The
// sum over further ones is bounded.
constexpr size_t kAddedUp = 64;

size_t ClassOf(const RequestedWork& work) {
  return static_cast<size_t>(work.request_class);
}

// The cost that is served of all members of `map` except `self`, together, when
// each of them is served at most `most`. With more than kAddedUp members the
// result is an upper bound. `all` is the cost of all members together.
template <typename Map, typename CostOf>
size_t CostOfOthers(const Map& map, uint64_t self, size_t all, size_t most,
                    CostOf cost_of) {
  size_t sum = 0, seen = 0, visited = 0;
  const auto found = map.find(self);
  size_t left = found == map.end() ? map.size() : map.size() - 1;
  all -= found == map.end() ? 0 : cost_of(found->second);
  for (auto at = map.begin(); at != map.end() && visited < kAddedUp; ++at) {
    if (at == found) continue;
    const size_t cost = cost_of(at->second);
    sum += std::min(cost, most);
    seen += cost;
    ++visited;
    --left;
  }
  return sum + std::min(all - seen, left * most);
}

}  // namespace

void ClientShares::Share::Add(const RequestedWork& work) {
  items += work.items;
  bytes += work.bytes;
  cost[ClassOf(work)] += work.cost;
}

void ClientShares::Share::Remove(const RequestedWork& work) {
  items -= std::min(work.items, items);
  bytes -= std::min(work.bytes, bytes);
  size_t& of_class = cost[ClassOf(work)];
  of_class -= std::min(work.cost, of_class);
}

void ClientShares::Add(const RequestedWork& work) {
  Host& host = hosts_[work.client.host];
  host.all.Add(work);
  host.clients[work.client.name].Add(work);
  total_.Add(work);
}

void ClientShares::AddAnswer(const RequestedWork& answer, size_t bytes_left) {
  const auto host = hosts_.find(answer.client.host);
  const size_t own =
      host == hosts_.end() ? 0 : host->second.all.bytes - host->second.beyond;
  // Half of the difference, so that as much stays free as the host has then.
  const size_t fits = (bytes_left - std::min(own, bytes_left)) / 2;
  const size_t beyond = answer.bytes - std::min(fits, answer.bytes);
  Add(answer);
  hosts_[answer.client.host].beyond += beyond;
  beyond_ += beyond;
}

void ClientShares::Remove(const RequestedWork& work) {
  const auto host = hosts_.find(work.client.host);
  if (host == hosts_.end()) return;
  auto& clients = host->second.clients;
  const auto client = clients.find(work.client.name);
  if (client == clients.end()) return;
  const size_t beyond = std::min(work.bytes, host->second.beyond);
  host->second.beyond -= beyond;
  beyond_ -= beyond;
  total_.Remove(work);
  host->second.all.Remove(work);
  client->second.Remove(work);
  if (client->second.empty()) clients.erase(client);
  if (clients.empty()) hosts_.erase(host);
}

bool ClientShares::Exceeds(const RequestedWork& work, size_t items_left,
                           size_t bytes_left) const {
  const auto host = hosts_.find(work.client.host);
  if (host == hosts_.end()) return false;
  const Share& of_host = host->second.all;
  const auto is_too_much = [&](const Share& share, size_t items, size_t bytes) {
    return share.items + work.items > items || share.bytes + work.bytes > bytes;
  };
  if (is_too_much(of_host, items_left, bytes_left)) return true;
  const auto client = host->second.clients.find(work.client.name);
  return client != host->second.clients.end() &&
         is_too_much(client->second, items_left - of_host.items,
                     bytes_left - of_host.bytes);
}

bool ClientShares::ExceedsQuota(const RequestedWork& work) const {
  const auto host = hosts_.find(work.client.host);
  const size_t inside = host == hosts_.end() ? 0 : host->second.all.items;
  return inside > work.most_items || work.items > work.most_items - inside;
}

size_t ClientShares::CostUntilDone(const RequestedWork& work,
                                   size_t quantum) const {
  const size_t request_class = ClassOf(work);
  size_t served = work.cost;  // of this host
  const auto host = hosts_.find(work.client.host);
  if (host != hosts_.end()) {
    const auto& clients = host->second.clients;
    const auto client = clients.find(work.client.name);
    if (client != clients.end()) served += client->second.cost[request_class];
    served += CostOfOthers(
        clients, work.client.name, host->second.all.cost[request_class],
        served + quantum,
        [&](const Share& share) { return share.cost[request_class]; });
  }
  return served + CostOfOthers(hosts_, work.client.host,
                               total_.cost[request_class], served + quantum,
                               [&](const Host& other) {
                                 return other.all.cost[request_class];
                               });
}

}  // namespace slice
