#include "server/scheduling/client_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

constexpr size_t kQuantum = 8;

RequestedWork WorkOf(ClientId client, size_t items) {
  return {RequestClass::kInteractive, items, items, 10 * items, client};
}

// CostUntilDone by brute force over all hosts and clients.
size_t PlainCost(const std::map<ClientId, size_t>& inside,
                 const RequestedWork& work) {
  std::map<uint64_t, size_t> of_host;
  for (const auto& [client, cost] : inside) of_host[client.host] += cost;
  size_t served = work.cost;
  const auto own = inside.find(work.client);
  if (own != inside.end()) served += own->second;
  const size_t most_of_client = served + kQuantum;
  for (const auto& [client, cost] : inside) {
    if (client.host != work.client.host || client == work.client) continue;
    served += std::min(cost, most_of_client);
  }
  size_t all = served;
  for (const auto& [host, cost] : of_host) {
    if (host != work.client.host) all += std::min(cost, served + kQuantum);
  }
  return all;
}

TEST(ClientSharesTest, OthersCountForAsMuchAsOneHasOneself) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    ClientShares shares;
    std::map<ClientId, size_t> inside;
    for (int i = 0; i < 40; ++i) {
      const RequestedWork work = WorkOf(
          ClientId(random.Below(6), random.Below(4)), 1 + random.Below(60));
      ASSERT_EQ(shares.CostUntilDone(work, kQuantum), PlainCost(inside, work));
      shares.Add(work);
      inside[work.client] += work.cost;
    }
  }
}

// A search among very many clients would hold a lock that all need.
TEST(ClientSharesTest, OfVeryManyOthersTheCostIsAnUpperBound) {
  Random random(4);
  ClientShares shares;
  std::map<ClientId, size_t> inside;
  for (int i = 0; i < 2000; ++i) {
    const RequestedWork work =
        WorkOf(ClientId(random.Below(2) * random.Below(500), random.Below(500)),
               1 + random.Below(20));
    const size_t bound = shares.CostUntilDone(work, kQuantum);
    EXPECT_GE(bound, PlainCost(inside, work));
    EXPECT_LE(bound, shares.total().cost[0] + work.cost);
    shares.Add(work);
    inside[work.client] += work.cost;
  }
}

TEST(ClientSharesTest, WhatIsRemovedIsGone) {
  Random random(5);
  ClientShares shares;
  std::vector<RequestedWork> inside;
  for (int i = 0; i < 500; ++i) {
    inside.push_back(
        WorkOf(ClientId(random.Below(5), random.Below(5)), random.Below(9)));
    shares.Add(inside.back());
    if (random.Below(3) > 0) continue;
    shares.Remove(inside.back());
    inside.pop_back();
  }
  for (const RequestedWork& work : inside) shares.Remove(work);
  EXPECT_TRUE(shares.total().empty());
  EXPECT_EQ(shares.total().cost[0], 0);
  shares.Remove(WorkOf(ClientId(1), 1));
  EXPECT_TRUE(shares.total().empty());
  EXPECT_EQ(shares.CostUntilDone(WorkOf(ClientId(1), 3), kQuantum), 3);
}

// Whatever names a host gives to its clients, other hosts find room, and so
// does one more client of the host.
TEST(ClientSharesTest, ThereIsAlwaysRoomForAnother) {
  constexpr size_t kRoom = 1000;
  ClientShares shares;
  const auto exceeds = [&](const RequestedWork& work) {
    return shares.Exceeds(work, kRoom - shares.total().items,
                          1000 * kRoom - shares.total().bytes);
  };
  const RequestedWork greedy = WorkOf(ClientId(1, 1), 1);
  while (!exceeds(greedy)) shares.Add(greedy);
  EXPECT_EQ(shares.total().items, kRoom / 3 + 1);
  EXPECT_FALSE(exceeds(WorkOf(ClientId(1, 2), 1)));
  for (uint64_t name = 2; name < 2000; ++name) {
    const RequestedWork work = WorkOf(ClientId(1, name), 1);
    if (!exceeds(work)) shares.Add(work);
  }
  EXPECT_EQ(shares.total().items, kRoom / 2);
  EXPECT_FALSE(exceeds(WorkOf(ClientId(2), kRoom / 2)));
}

}  // namespace
}  // namespace slice
