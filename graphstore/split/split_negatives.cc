#include "graphstore/split/split_negatives.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "common/random.h"

namespace slice {
namespace {

// How often a draw of one kind is repeated before a wider one takes its place.
constexpr int kTries = 64;

class NegativeDraws {
 public:
  NegativeDraws(const SplitInput& input, const std::vector<SplitPart>& parts)
      : input_(input),
        targets_(input.relations.size()),
        has_self_loops_(input.relations.size(), false) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const Link& link = input.links[i];
      if (parts[i] != SplitPart::kTrain) continue;
      targets_[link.relation].push_back(link.target);
      if (link.source == link.target) has_self_loops_[link.relation] = true;
    }
    for (std::vector<NodeId>& targets : targets_) {
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    }
  }

  // A non-link that was not drawn before.
  std::optional<Link> Draw(const Link& positive, Random random) {
    const double uniform = random.Uniform();
    const Kind first = uniform < kInSlotShare ? Kind::kInSlot
                       : uniform < kInSlotShare + kTargetShare
                           ? Kind::kTarget
                           : Kind::kBothEnds;
    static_assert(kInSlotShare + kTargetShare + kBothEndsShare == 1);
    for (auto kind = static_cast<int>(first);
         kind <= static_cast<int>(Kind::kBothEnds); ++kind) {
      for (int tried = 0; tried < kTries; ++tried) {
        const Link link = DrawOnce(static_cast<Kind>(kind), positive, random);
        if (IsNonLink(link) && drawn_.insert(Packed(link)).second) return link;
      }
    }
    return std::nullopt;
  }

 private:
  enum class Kind { kInSlot, kTarget, kBothEnds };  // each wider than the last

  static std::pair<uint64_t, RelationId> Packed(const Link& link) {
    return {(uint64_t{link.source} << 32) | link.target, link.relation};
  }

  Link DrawOnce(Kind kind, const Link& positive, Random& random) const {
    const auto nodes = static_cast<uint32_t>(input_.keys.size());
    const std::vector<NodeId>& targets = targets_[positive.relation];
    Link link = positive;
    if (kind == Kind::kBothEnds) link.source = random.Below(nodes);
    link.target =
        kind == Kind::kInSlot && !targets.empty()
            ? targets[random.Below(static_cast<uint32_t>(targets.size()))]
            : random.Below(nodes);
    return link;
  }

  bool IsNonLink(const Link& link) const {
    if (link.source == link.target && !has_self_loops_[link.relation])
      return false;
    return !std::binary_search(input_.links.begin(), input_.links.end(), link);
  }

  const SplitInput& input_;
  std::vector<std::vector<NodeId>> targets_;  // of each relation in train
  std::vector<bool> has_self_loops_;          // of each relation, in train
  absl::flat_hash_set<std::pair<uint64_t, RelationId>> drawn_;
};

}  // namespace

SplitNegatives DrawNegatives(const SplitInput& input,
                             const std::vector<SplitPart>& parts,
                             SplitPart part, uint64_t seed) {
  NegativeDraws draws(input, parts);
  SplitNegatives negatives;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != part) continue;
    const Link& link = input.links[i];
    uint64_t stream = CombineHash(seed, HashBytes(input.keys[link.source]));
    stream = CombineHash(stream, HashBytes(input.relations[link.relation]));
    stream = CombineHash(stream, HashBytes(input.keys[link.target]));
    if (const auto drawn = draws.Draw(link, Random(stream))) {
      negatives.links.push_back(*drawn);
    } else {
      ++negatives.missing;
    }
  }
  std::sort(negatives.links.begin(), negatives.links.end());
  return negatives;
}

}  // namespace slice
