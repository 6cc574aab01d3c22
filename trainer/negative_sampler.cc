#include "trainer/negative_sampler.h"

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

// What a kind turns into when its draws keep hitting links.
NegativeKind WiderKind(NegativeKind kind) {
  switch (kind) {
    case NegativeKind::kTypeMatched:
    case NegativeKind::kDegreeMatched:
      return NegativeKind::kSourceKept;
    default:
      return NegativeKind::kUniform;
  }
}

// How much more often than by chance a negative shares one end, and the
// relation, with some positive.
double KeptShare(std::span<const LabelledLink> links, size_t node_count,
                 NodeId Link::*end) {
  absl::flat_hash_map<RelationId, absl::flat_hash_set<NodeId>> ends;
  for (const LabelledLink& labelled : links) {
    if (labelled.positive) {
      ends[labelled.link.relation].insert(labelled.link.*end);
    }
  }
  double negatives = 0, kept = 0, by_chance = 0;
  for (const LabelledLink& labelled : links) {
    if (labelled.positive) continue;
    ++negatives;
    const auto found = ends.find(labelled.link.relation);
    if (found == ends.end()) continue;
    kept += found->second.contains(labelled.link.*end);
    by_chance += static_cast<double>(found->second.size()) /
                 static_cast<double>(node_count);
  }
  if (negatives == 0 || by_chance >= 0.99 * negatives) return 0;
  const double share = (kept - by_chance) / (negatives - by_chance);
  return share < kLeastShare ? 0 : std::min(share, 1.0);
}

}  // namespace

std::string_view NegativeKindName(NegativeKind kind) {
  static constexpr std::string_view kNames[] = {"uniform", "source_kept",
                                                "target_kept", "type_matched",
                                                "degree_matched"};
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
  }
  return 0;
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
    : snapshot_(&snapshot) {
  double total = 0;
  for (int kind = 0; kind < kNegativeKinds; ++kind) {
    total += mix.share(static_cast<NegativeKind>(kind));
    cumulative_[kind] = total;
  }
  for (double& value : cumulative_) value /= total;

  std::vector<std::vector<NodeId>> targets(snapshot.relation_count());
  for (NodeId target = 0; target < snapshot.node_count(); ++target) {
    const ArcSpan arcs = snapshot.Arcs(target, Direction::kIn);
    for (const RelationId relation : arcs.relations) {
      targets[relation].push_back(target);
    }
  }
  link_start_.push_back(0);
  distinct_start_.push_back(0);
  for (const std::vector<NodeId>& all : targets) {
    link_targets_.insert(link_targets_.end(), all.begin(), all.end());
    std::unique_copy(all.begin(), all.end(),
                     std::back_inserter(distinct_targets_));
    link_start_.push_back(link_targets_.size());
    distinct_start_.push_back(distinct_targets_.size());
  }
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
    if (sampler->link_start_[relation + 1] - sampler->link_start_[relation] ==
        pairs) {
      return absl::FailedPreconditionError(absl::StrFormat(
          "cannot draw negatives: relation '%s' links every pair of nodes",
          snapshot.RelationName(static_cast<RelationId>(relation))));
    }
  }
  return sampler;
}

std::optional<NegativeSample> NegativeSampler::Draw(NegativeKind kind,
                                                    const Link& positive,
                                                    Random& random) const {
  const uint32_t nodes = static_cast<uint32_t>(snapshot_->node_count());
  NegativeSample sample = {
      positive, kind,
      kind != NegativeKind::kUniform && kind != NegativeKind::kTargetKept,
      kind == NegativeKind::kTargetKept};
  if (!sample.keeps_source) sample.link.source = random.Below(nodes);
  if (kind == NegativeKind::kTypeMatched ||
      kind == NegativeKind::kDegreeMatched) {
    const bool distinct = kind == NegativeKind::kTypeMatched;
    const auto& start = distinct ? distinct_start_ : link_start_;
    const auto& targets = distinct ? distinct_targets_ : link_targets_;
    const uint64_t begin = start[positive.relation];
    const uint64_t count = start[positive.relation + 1] - begin;
    if (count == 0) return std::nullopt;
    sample.link.target =
        targets[begin + random.Below(static_cast<uint32_t>(count))];
  } else if (!sample.keeps_target) {
    sample.link.target = random.Below(nodes);
  }
  if (snapshot_->HasLink(sample.link)) return std::nullopt;
  return sample;
}

NegativeSample NegativeSampler::Sample(const Link& positive,
                                       Random& random) const {
  const double draw = random.Uniform();
  int index = 0;
  while (index + 1 < kNegativeKinds && draw >= cumulative_[index]) ++index;
  NegativeKind kind = static_cast<NegativeKind>(index);
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

NegativeMix EstimateNegativeMix(std::span<const LabelledLink> valid,
                                size_t node_count, double typed_share) {
  NegativeMix mix;
  mix.source_kept = KeptShare(valid, node_count, &Link::source);
  mix.target_kept = std::min(KeptShare(valid, node_count, &Link::target),
                             1 - mix.source_kept);
  mix.uniform = 1 - mix.source_kept - mix.target_kept;
  mix.type_matched = typed_share;
  return mix;
}

}  // namespace slice
