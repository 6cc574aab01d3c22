#include "context/row_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

constexpr size_t kNodes = 5000;
constexpr NodeId kUntouched = 123456789;

NodeBits RandomBits(Random& random, double rate) {
  NodeBits bits;
  bits.Reserve(kNodes);
  for (size_t node = 0; node < kNodes; ++node) {
    if (random.Uniform() < rate) bits.Insert(node);
  }
  return bits;
}

std::vector<NodeId> RandomRow(Random& random, size_t size) {
  std::vector<NodeId> row(size);
  for (NodeId& node : row) node = random.Below(kNodes);
  std::sort(row.begin(), row.end());
  return row;
}

template <typename Wanted>
std::vector<NodeId> Plain(const std::vector<NodeId>& row, Wanted wanted) {
  std::vector<NodeId> kept;
  for (const NodeId node : row) {
    if (wanted(node)) kept.push_back(node);
  }
  return kept;
}

// What `filter(row, to)` keeps. Checks that it writes nothing beyond the room
// that it requires.
template <typename Filter>
std::vector<NodeId> Kept(const std::vector<NodeId>& row, Filter filter) {
  const size_t room = row.size() + kRowFilterSlack;
  std::vector<NodeId> to(room + 1, kUntouched);
  const size_t count = filter(row, to.data());
  EXPECT_LE(count, row.size());
  EXPECT_EQ(to[room], kUntouched);
  to.resize(std::min(count, room));
  return to;
}

TEST(RowFilter, KeepsWhatAPlainLoopKeeps) {
  Random random(1);
  size_t kept = 0;
  for (const double rate : {0.0, 0.01, 0.5, 1.0}) {
    const NodeBits a = RandomBits(random, rate);
    const NodeBits b = RandomBits(random, rate / 2);
    for (size_t size = 0; size < 100; ++size) {
      const std::vector<NodeId> row = RandomRow(random, size);
      const auto in = Plain(row, [&](NodeId node) { return a.Contains(node); });
      const auto in_neither = Plain(row, [&](NodeId node) {
        return !a.Contains(node) && !b.Contains(node);
      });
      for (const auto filter : {&KeepNodesIn, &KeepNodesInPortably}) {
        EXPECT_EQ(Kept(row, [&](const auto& nodes,
                                NodeId* to) { return filter(a, nodes, to); }),
                  in);
      }
      for (const auto filter :
           {&KeepNodesInNeither, &KeepNodesInNeitherPortably}) {
        EXPECT_EQ(
            Kept(row, [&](const auto& nodes,
                          NodeId* to) { return filter(a, b, nodes, to); }),
            in_neither);
      }
      kept += in.size() + in_neither.size();
    }
  }
  EXPECT_GT(kept, 1000u);
}

}  // namespace
}  // namespace slice
