// EstimateNegativeMix compares the ends of the negatives of a labelled file
// with three sets of nodes, relation by relation: the sources of the file's
// positives, their targets, and the members of the relation (nodes with a link
// of it, in the file or in the graph). Each count is compared with what a
// uniform draw would give. That draw is from the members of the relation if the
// negatives seem to be drawn among these, and otherwise from the whole
// catalogue.
#include "trainer/learning/negative_mix.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_format.h"

namespace slice {
namespace {

constexpr double kLeastShare = 0.05;  // smaller estimates are taken for chance
// The log of a probability. What is less probable than this is not put down to
// chance.
constexpr double kCertainLogOdds = -10;

// What the rows of one relation in the labelled file show.
struct RelationNegatives {
  absl::flat_hash_set<NodeId> sources, targets;  // of positives
  absl::flat_hash_set<NodeId> members;  // nodes with a link of the relation, in
                                        // the file or in the graph
  double negatives = 0;
  double kept_sources = 0;  // negatives whose source is in `sources`
  double kept_targets = 0;
  double within = 0;  // negatives with both ends in `members`
};
using NegativesByRelation = absl::flat_hash_map<RelationId, RelationNegatives>;

NegativesByRelation CountNegatives(const GraphSnapshot& snapshot,
                                   std::span<const LabelledLink> links) {
  NegativesByRelation counts;
  for (const auto& [link, positive] : links) {
    RelationNegatives& relation = counts[link.relation];
    if (!positive) continue;
    relation.sources.insert(link.source);
    relation.targets.insert(link.target);
    relation.members.insert({link.source, link.target});
  }
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      for (const RelationId id : snapshot.Arcs(node, direction).relations) {
        const auto found = counts.find(id);
        if (found != counts.end()) found->second.members.insert(node);
      }
    }
  }
  for (const auto& [link, positive] : links) {
    if (positive) continue;
    RelationNegatives& relation = counts[link.relation];
    ++relation.negatives;
    relation.kept_sources += relation.sources.contains(link.source);
    relation.kept_targets += relation.targets.contains(link.target);
    relation.within += relation.members.contains(link.source) &&
                       relation.members.contains(link.target);
  }
  return counts;
}

// Whether the negatives of a relation seem to be drawn among its members: all
// their ends are members, and draws from the whole catalogue would hardly give
// that by chance.
bool DrawnWithin(const RelationNegatives& relation, double node_count) {
  const double part =
      std::max<double>(1, static_cast<double>(relation.members.size())) /
      node_count;
  return relation.within == relation.negatives &&
         2 * relation.negatives * std::log(part) < kCertainLogOdds;
}

// Of `all` negatives, `seen` have a property, and `by_chance` of them would
// have it by chance. Returns the share that have it on purpose, (seen -
// by_chance) / (all - by_chance), or 0 when that is less than kLeastShare.
double ShareBeyondChance(double seen, double by_chance, double all) {
  if (by_chance >= 0.99 * all) return 0;
  const double share = (seen - by_chance) / (all - by_chance);
  return share < kLeastShare ? 0 : std::min(share, 1.0);
}

// The share of negatives whose target was drawn among the targets of the
// relation in the graph, beyond what a draw from the whole catalogue gives.
double TypedTargets(const GraphSnapshot& snapshot,
                    std::span<const LabelledLink> valid) {
  std::vector<double> pool(snapshot.relation_count(), 0);
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    for (RelationId relation = 0; relation < pool.size(); ++relation) {
      pool[relation] +=
          !snapshot.Neighbors(node, relation, Direction::kIn).empty();
    }
  }
  double negatives = 0, typed = 0, chance = 0;
  for (const LabelledLink& example : valid) {
    if (example.positive) continue;
    const Link& link = example.link;
    ++negatives;
    typed +=
        !snapshot.Neighbors(link.target, link.relation, Direction::kIn).empty();
    chance += pool[link.relation] / static_cast<double>(snapshot.node_count());
  }
  return ShareBeyondChance(typed, chance, negatives);
}

}  // namespace

std::string_view NegativeKindName(NegativeKind kind) {
  static constexpr std::string_view kNames[] = {"uniform",
                                                "source_kept",
                                                "target_kept",
                                                "type_matched",
                                                "degree_matched",
                                                "uniform_in_relation",
                                                "source_type_matched",
                                                "self",
                                                "off_schema"};
  static_assert(std::size(kNames) == kNegativeKinds);
  return kNames[static_cast<size_t>(kind)];
}

double NegativeMix::share(NegativeKind kind) const {
  switch (kind) {
    case NegativeKind::kUniform:
      return uniform;
    case NegativeKind::kSourceKept:
      return source_kept;
    case NegativeKind::kTargetKept:
      return target_kept;
    case NegativeKind::kTypeMatched:
      return type_matched;
    case NegativeKind::kDegreeMatched:
      return degree_matched;
    case NegativeKind::kUniformInRelation:
      return uniform_in_relation;
    case NegativeKind::kSourceTypeMatched:
      return source_type_matched;
    case NegativeKind::kSelf:
      return self;
    case NegativeKind::kOffSchema:
      return off_schema;
  }
  return 0;
}

NegativeKind NegativeMix::Draw(double uniform_draw) const {
  double total = 0;
  for (int kind = 0; kind < kNegativeKinds; ++kind) {
    total += share(static_cast<NegativeKind>(kind));
  }
  double rest = uniform_draw * total;
  int last = 0;
  for (int kind = 0; kind < kNegativeKinds; ++kind) {
    const double room = share(static_cast<NegativeKind>(kind));
    if (room == 0) continue;
    if (rest < room) return static_cast<NegativeKind>(kind);
    rest -= room;
    last = kind;
  }
  return static_cast<NegativeKind>(last);
}

absl::Status NegativeMix::Validate() const {
  double total = 0;
  for (int kind = 0; kind < kNegativeKinds; ++kind) {
    const double value = share(static_cast<NegativeKind>(kind));
    if (!std::isfinite(value) || value < 0) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "the share of %s negatives is %g; it must be zero or more",
          std::string(NegativeKindName(static_cast<NegativeKind>(kind))),
          value));
    }
    total += value;
  }
  if (total > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the shares of all kinds of negatives are zero; give at least one");
}

NegativeMix AmongKindMix() {
  NegativeMix mix;
  mix.uniform = 0;
  mix.type_matched = 0.75;
  mix.degree_matched = 0.05;
  mix.source_type_matched = 0.2;
  return mix;
}

NegativeMix EstimateNegativeMix(const GraphSnapshot& snapshot,
                                std::span<const LabelledLink> valid,
                                double typed_share) {
  const double nodes = static_cast<double>(snapshot.node_count());
  double negatives = 0, within = 0;
  double sources = 0, chance_sources = 0, targets = 0, chance_targets = 0;
  for (const auto& [id, relation] : CountNegatives(snapshot, valid)) {
    const bool drawn_within = DrawnWithin(relation, nodes);
    const double pool =
        drawn_within ? static_cast<double>(relation.members.size()) : nodes;
    const double count = relation.negatives;
    negatives += count;
    within += drawn_within ? count : 0;
    sources += relation.kept_sources;
    targets += relation.kept_targets;
    chance_sources +=
        count * static_cast<double>(relation.sources.size()) / pool;
    chance_targets +=
        count * static_cast<double>(relation.targets.size()) / pool;
  }
  NegativeMix mix;
  mix.type_matched = typed_share;
  if (negatives == 0) return mix;
  mix.source_kept = ShareBeyondChance(sources, chance_sources, negatives);
  mix.target_kept =
      std::min(ShareBeyondChance(targets, chance_targets, negatives),
               1 - mix.source_kept);
  const double rest = 1 - mix.source_kept - mix.target_kept;
  // A kept target is a target of the relation as well. So where targets are
  // kept, typed targets cannot be told apart from kept ones.
  const double typed =
      mix.target_kept > 0 ? 0 : mix.source_kept * TypedTargets(snapshot, valid);
  mix.source_kept -= typed;
  mix.type_matched += typed;
  mix.uniform_in_relation = rest * within / negatives;
  mix.uniform = rest - mix.uniform_in_relation;
  return mix;
}

}  // namespace slice
