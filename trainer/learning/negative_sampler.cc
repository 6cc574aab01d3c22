#include "trainer/learning/negative_sampler.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr int kAttempts = 20;  // of one kind, before a wider one is taken
constexpr double kLeastShare = 0.05;  // estimated shares below are chance
constexpr double kCertainLogOdds = -10;

// What a kind turns into when its draws keep hitting links.
NegativeKind WiderKind(NegativeKind kind) {
  switch (kind) {
    case NegativeKind::kTypeMatched:
    case NegativeKind::kDegreeMatched:
    case NegativeKind::kTwoHop:
      return NegativeKind::kSourceKept;
    default:
      return NegativeKind::kUniform;
  }
}

// The end of a random 2-path from `source`; whether there is one.
bool WalkTwoHops(const GraphSnapshot& snapshot, NodeId source, Random& random,
                 NodeId& target) {
  target = source;
  for (int hop = 0; hop < 2; ++hop) {
    const auto neighbors = snapshot.DistinctNeighbors(target);
    if (neighbors.empty()) return false;
    target = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
  }
  return true;
}

// What a labelled file shows of one relation.
struct RelationNegatives {
  absl::flat_hash_set<NodeId> sources, targets;  // of positives
  absl::flat_hash_set<NodeId> members;  // with the relation, here or in train
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

// Whether the negatives of a relation were drawn among its members: all lie
// there, and chance alone would hardly do that.
bool DrawnWithin(const RelationNegatives& relation, double node_count) {
  const double part =
      std::max<double>(1, static_cast<double>(relation.members.size())) /
      node_count;
  return relation.within == relation.negatives &&
         2 * relation.negatives * std::log(part) < kCertainLogOdds;
}

// A share of negatives beyond chance, from the number seen and the number that
// chance explains.
double ShareBeyondChance(double seen, double by_chance, double all) {
  if (by_chance >= 0.99 * all) return 0;
  const double share = (seen - by_chance) / (all - by_chance);
  return share < kLeastShare ? 0 : std::min(share, 1.0);
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
                                                "two_hop"};
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
    case NegativeKind::kTwoHop:
      return two_hop;
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

NegativeSampler::NegativeSampler(const GraphSnapshot& snapshot,
                                 const NegativeMix& mix)
    : snapshot_(&snapshot), mix_(mix) {
  const size_t relations = snapshot.relation_count();
  std::vector<std::vector<NodeId>> targets(relations), distinct(relations),
      sources(relations), members(relations);
  const auto add = [](std::vector<NodeId>& nodes, NodeId node) {
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  };
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    for (const RelationId r : snapshot.Arcs(node, Direction::kIn).relations) {
      targets[r].push_back(node);
      add(distinct[r], node);
      add(members[r], node);
    }
    for (const RelationId r : snapshot.Arcs(node, Direction::kOut).relations) {
      add(sources[r], node);
      add(members[r], node);
    }
  }
  link_targets_ = Flatten(targets);
  distinct_targets_ = Flatten(distinct);
  distinct_sources_ = Flatten(sources);
  members_ = Flatten(members);
}

NegativeSampler::NodesByRelation NegativeSampler::Flatten(
    const std::vector<std::vector<NodeId>>& groups) {
  NodesByRelation flat;
  flat.start.push_back(0);
  for (const std::vector<NodeId>& group : groups) {
    flat.nodes.insert(flat.nodes.end(), group.begin(), group.end());
    flat.start.push_back(flat.nodes.size());
  }
  return flat;
}

absl::StatusOr<std::unique_ptr<NegativeSampler>> NegativeSampler::Create(
    const GraphSnapshot& snapshot, const NegativeMix& mix) {
  SLICE_RETURN_IF_ERROR(mix.Validate());
  if (snapshot.node_count() == 0) {
    return absl::FailedPreconditionError(
        "cannot draw negatives: the graph has no nodes");
  }
  std::unique_ptr<NegativeSampler> sampler(new NegativeSampler(snapshot, mix));
  const uint64_t pairs =
      static_cast<uint64_t>(snapshot.node_count()) * snapshot.node_count();
  for (size_t relation = 0; relation < snapshot.relation_count(); ++relation) {
    const RelationId id = static_cast<RelationId>(relation);
    if (sampler->link_targets_.of(id).size() == pairs) {
      return absl::FailedPreconditionError(absl::StrFormat(
          "cannot draw negatives: relation '%s' links every pair of nodes",
          snapshot.RelationName(id)));
    }
  }
  return sampler;
}

std::optional<NegativeSample> NegativeSampler::Draw(NegativeKind kind,
                                                    const Link& positive,
                                                    Random& random) const {
  const auto any_node = [&] {
    return random.Below(static_cast<uint32_t>(snapshot_->node_count()));
  };
  const auto one_of = [&](const NodesByRelation& groups, NodeId& node) {
    const std::span<const NodeId> nodes = groups.of(positive.relation);
    if (nodes.empty()) return false;
    node = nodes[random.Below(static_cast<uint32_t>(nodes.size()))];
    return true;
  };
  NegativeSample sample = {positive, kind, /*keeps_source=*/true,
                           /*keeps_target=*/false};
  Link& link = sample.link;
  bool drawn = true;
  switch (kind) {
    case NegativeKind::kUniform:
      link.source = any_node();
      link.target = any_node();
      sample.keeps_source = false;
      break;
    case NegativeKind::kSourceKept:
      link.target = any_node();
      break;
    case NegativeKind::kTargetKept:
      link.source = any_node();
      sample.keeps_source = false;
      sample.keeps_target = true;
      break;
    case NegativeKind::kTypeMatched:
      drawn = one_of(distinct_targets_, link.target);
      break;
    case NegativeKind::kDegreeMatched:
      drawn = one_of(link_targets_, link.target);
      break;
    case NegativeKind::kUniformInRelation:
      drawn = one_of(members_, link.source) && one_of(members_, link.target);
      sample.keeps_source = false;
      break;
    case NegativeKind::kSourceTypeMatched:
      drawn = one_of(distinct_sources_, link.source);
      sample.keeps_source = false;
      sample.keeps_target = true;
      break;
    case NegativeKind::kTwoHop:
      drawn = WalkTwoHops(*snapshot_, link.source, random, link.target);
      break;
  }
  if (!drawn || snapshot_->HasLink(link)) return std::nullopt;
  return sample;
}

NegativeSample NegativeSampler::Sample(const NegativeMix& mix,
                                       const Link& positive,
                                       Random& random) const {
  NegativeKind kind = mix.Draw(random.Uniform());
  while (true) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const auto sample = Draw(kind, positive, random);
      if (sample.has_value()) return *sample;
    }
    if (kind == NegativeKind::kUniform) return AnyNegative(positive, random);
    kind = WiderKind(kind);
  }
}

// For relations that link almost every pair: the next gap from a random place.
NegativeSample NegativeSampler::AnyNegative(const Link& positive,
                                            Random& random) const {
  const uint32_t nodes = static_cast<uint32_t>(snapshot_->node_count());
  NegativeSample sample = {positive, NegativeKind::kUniform, false, false};
  sample.link.source = random.Below(nodes);
  sample.link.target = random.Below(nodes);
  while (snapshot_->HasLink(sample.link)) {
    if (++sample.link.target < nodes) continue;
    sample.link.target = 0;
    sample.link.source = (sample.link.source + 1) % nodes;
  }
  return sample;
}

namespace {

// How many of the negatives' targets are targets of their relation in the
// graph, beyond what a draw from the whole catalogue would give; in [0, 1].
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
  // Kept targets are targets of the relation as well: tell them apart first.
  const double typed =
      mix.target_kept > 0 ? 0 : mix.source_kept * TypedTargets(snapshot, valid);
  mix.source_kept -= typed;
  mix.type_matched += typed;
  mix.uniform_in_relation = rest * within / negatives;
  mix.uniform = rest - mix.uniform_in_relation;
  return mix;
}

}  // namespace slice
