#include "trainer/learning/relation_shares.h"

#include <algorithm>

#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr double kMaxUnlinkedShare = 0.5;

bool LacksRelation(const GraphSnapshot& snapshot, NodeId node,
                   RelationId relation) {
  return snapshot.Neighbors(node, relation, Direction::kOut).empty();
}

std::vector<double> SharesFromTypes(const GraphSnapshot& snapshot) {
  const size_t types = snapshot.node_type_count();
  std::vector<double> nodes(types, 0);
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    ++nodes[snapshot.Type(node)];
  }
  std::vector<double> shares(snapshot.relation_count(), 0);
  std::vector<double> linked(types);
  for (RelationId relation = 0; relation < shares.size(); ++relation) {
    std::fill(linked.begin(), linked.end(), 0);
    for (NodeId node = 0; node < snapshot.node_count(); ++node) {
      if (!LacksRelation(snapshot, node, relation)) {
        ++linked[snapshot.Type(node)];
      }
    }
    double possible = 0, actual = 0;
    for (size_t type = 0; type < types; ++type) {
      if (linked[type] > 0) possible += nodes[type];
      actual += linked[type];
    }
    if (possible > 0) shares[relation] = 1 - actual / possible;
  }
  return shares;
}

std::vector<double> SharesFromValid(const GraphSnapshot& snapshot,
                                    std::span<const LabelledLink> valid) {
  std::vector<double> asked(snapshot.relation_count(), 0);
  std::vector<double> lacking(snapshot.relation_count(), 0);
  for (const LabelledLink& example : valid) {
    if (!example.positive) continue;
    const Link& link = example.link;
    ++asked[link.relation];
    lacking[link.relation] +=
        LacksRelation(snapshot, link.source, link.relation);
  }
  for (size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] > 0) lacking[i] /= asked[i];
  }
  return lacking;
}

}  // namespace

std::vector<double> EstimateUnlinkedShares(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid) {
  std::vector<double> shares = snapshot.node_type_count() > 1
                                   ? SharesFromTypes(snapshot)
                                   : SharesFromValid(snapshot, valid);
  for (double& share : shares) share = std::min(share, kMaxUnlinkedShare);
  return shares;
}

std::vector<double> EstimateRelationShares(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid) {
  std::vector<double> links(snapshot.relation_count(), 0), asked = links;
  for (const Link& link : AllLinks(snapshot)) ++links[link.relation];
  double positives = 0;
  for (const LabelledLink& example : valid) {
    if (!example.positive) continue;
    ++asked[example.link.relation];
    ++positives;
  }
  const double total = static_cast<double>(snapshot.link_count());
  for (size_t i = 0; i < links.size(); ++i) {
    const double of_graph = links[i] / std::max(total, 1.0);
    const double of_valid = positives > 0 ? asked[i] / positives : of_graph;
    links[i] = (of_graph + of_valid) / 2;
  }
  return links;
}

}  // namespace slice
