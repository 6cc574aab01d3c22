// Each function gives every link the number of its group. Groups follow from
// the training graph alone, and from distances that were measured with the pair
// hidden. The last group by degree and the last one by distance have no upper
// end.
#include "trainer/evaluation/link_groups.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr int kDegreeGroups = 10;  // the last one: 256 and above
constexpr int kLongestNamed = 7;   // the last distance: 7 hops and more

bool IsCold(const GraphSnapshot& snapshot, NodeId node) {
  return snapshot.Arcs(node, Direction::kOut).size() == 0 &&
         snapshot.Arcs(node, Direction::kIn).size() == 0;
}

size_t DegreeWithout(const GraphSnapshot& snapshot, NodeId node,
                     bool linked_to_other_end) {
  return snapshot.DistinctNeighbors(node).size() -
         (linked_to_other_end ? 1 : 0);
}

// Group 0 is degree 0, group 1 degree 1, group 2 degrees 2 and 3, and so on.
int DegreeGroup(size_t degree) {
  return std::min(static_cast<int>(std::bit_width(degree)), kDegreeGroups - 1);
}

std::string DegreeGroupName(int group) {
  if (group < 2) return absl::StrCat(group);
  const uint64_t low = uint64_t{1} << (group - 1);
  if (group == kDegreeGroups - 1) return absl::StrCat(low, "+");
  return absl::StrCat(low, "-", 2 * low - 1);
}

}  // namespace

LinkGrouping GroupByRelation(const GraphSnapshot& snapshot,
                             std::span<const Link> links) {
  LinkGrouping grouping{"relation", "Per relation", snapshot.relations(), {}};
  for (const Link& link : links) grouping.group.push_back(link.relation);
  return grouping;
}

LinkGrouping GroupByColdness(const GraphSnapshot& snapshot,
                             std::span<const Link> links) {
  LinkGrouping grouping{
      "nodes", "Nodes without a train link", {"warm", "cold"}, {}};
  for (const Link& link : links) {
    const bool cold =
        IsCold(snapshot, link.source) || IsCold(snapshot, link.target);
    grouping.group.push_back(cold ? 1 : 0);
  }
  return grouping;
}

LinkGrouping GroupByPairLinks(const GraphSnapshot& snapshot,
                              std::span<const Link> links) {
  LinkGrouping grouping{"pair",
                        "Pairs linked in train by another relation or "
                        "direction",
                        {"unlinked", "reversed", "otherwise"},
                        {}};
  for (const Link& link : links) {
    int32_t group = 0;
    if (link.source != link.target &&
        snapshot.AreNeighbors(link.source, link.target)) {
      group =
          snapshot.HasLink({link.target, link.relation, link.source}) ? 1 : 2;
    }
    grouping.group.push_back(group);
  }
  return grouping;
}

LinkGrouping GroupByPath(std::span<const int16_t> distances) {
  LinkGrouping grouping{
      "path", "Pairs without a path", {"path", "no_path"}, {}};
  for (const int16_t distance : distances) {
    grouping.group.push_back(distance < 0 ? 1 : 0);
  }
  return grouping;
}

LinkGrouping GroupByDistance(std::span<const int16_t> distances) {
  LinkGrouping grouping{"distance", "By distance of the ends", {}, {}};
  for (int hops = 0; hops < kLongestNamed; ++hops) {
    grouping.names.push_back(absl::StrCat(hops));
  }
  grouping.names.push_back(absl::StrCat(kLongestNamed, "+"));
  grouping.names.push_back("none");
  for (const int16_t distance : distances) {
    grouping.group.push_back(distance < 0
                                 ? kLongestNamed + 1
                                 : std::min<int32_t>(distance, kLongestNamed));
  }
  return grouping;
}

LinkGrouping GroupByDegree(const GraphSnapshot& snapshot,
                           std::span<const Link> links) {
  LinkGrouping grouping{
      "degree", "By neighbours of the less connected end", {}, {}};
  for (int group = 0; group < kDegreeGroups; ++group) {
    grouping.names.push_back(DegreeGroupName(group));
  }
  for (const Link& link : links) {
    const bool linked = link.source != link.target &&
                        snapshot.AreNeighbors(link.source, link.target);
    grouping.group.push_back(
        DegreeGroup(std::min(DegreeWithout(snapshot, link.source, linked),
                             DegreeWithout(snapshot, link.target, linked))));
  }
  return grouping;
}

}  // namespace slice
