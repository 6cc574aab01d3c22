// Some kinds draw among the nodes of a relation; the constructor makes lists of
// these nodes. A draw that hits a link of the graph is repeated, first with the
// same kind, then with wider kinds. At last Sample goes from pair to pair until
// it finds one that is not linked, so that it always ends.
#include "trainer/learning/negative_sampler.h"

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "graphstore/schema_fit.h"

namespace slice {
namespace {

constexpr int kAttempts = 20;  // draws of one kind before a wider one is tried

// The kind that is tried when all draws of `kind` hit links.
NegativeKind WiderKind(NegativeKind kind) {
  switch (kind) {
    case NegativeKind::kTypeMatched:
    case NegativeKind::kDegreeMatched:
      return NegativeKind::kSourceKept;
    default:
      return NegativeKind::kUniform;
  }
}

}  // namespace

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
    case NegativeKind::kSelf:
    case NegativeKind::kOffSchema: {
      sample.keeps_source = random.Below(2) == 0;
      sample.keeps_target = !sample.keeps_source;
      const NodeId kept = sample.keeps_source ? link.source : link.target;
      NodeId& other = sample.keeps_source ? link.target : link.source;
      other = kind == NegativeKind::kSelf ? kept : any_node();
      drawn = IsImpossible(kind, link);
      break;
    }
  }
  if (!drawn || snapshot_->HasLink(link)) return std::nullopt;
  return sample;
}

bool NegativeSampler::IsImpossible(NegativeKind kind, const Link& link) const {
  return kind == NegativeKind::kSelf
             ? snapshot_->schema().self_loops(link.relation) == 0
             : !FitsSchema(*snapshot_, snapshot_->schema(), link);
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

// For relations that link almost every pair: the first pair without a link,
// counting from a random one.
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

}  // namespace slice
