#include "context/constant_rules.h"

#include <algorithm>

#include "context/node_slots.h"
#include "context/path_rules.h"

namespace slice {
namespace {

constexpr float kPriorStrength = 5;
constexpr size_t kMostOthers = 1000;

}  // namespace

ConstantRules::ConstantRules(const GraphSnapshot& snapshot)
    : snapshot_(&snapshot),
      evidence_(snapshot.node_count()),
      counts_(snapshot.node_count()) {}

void ConstantRules::AddRule(NodeId d, int32_t relation) {
  const auto others = SlotNodes(*snapshot_, d, -relation);
  const size_t asked = std::min(others.size(), kMostOthers);
  const int32_t wanted =
      SignedRelation(question_.relation, question_.direction);
  for (size_t i = 0; i < asked; ++i) {
    const NodeId other = others[i * others.size() / asked];
    if (other == question_.anchor) continue;
    for (const NodeId c : SlotNodes(*snapshot_, other, wanted)) {
      if (counts_[c]++ == 0) reached_.push_back(c);
    }
  }
  const float scale =
      static_cast<float>(others.size()) / static_cast<float>(asked);
  const float n = static_cast<float>(others.size()) - 1;  // the anchor is one
  for (const NodeId c : reached_) {
    const float k = std::min(scale * static_cast<float>(counts_[c]), n);
    counts_[c] = 0;
    // A link to d does not vouch for itself, nor for another to d.
    if (c == d) continue;
    evidence_[c] += NoisyOrTerm(k / (n + kPriorStrength));
  }
  reached_.clear();
}

void ConstantRules::Run(const EndQuestion& question) {
  question_ = question;
  std::fill(evidence_.begin(), evidence_.end(), 0.0f);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan arcs = snapshot_->Arcs(question.anchor, direction);
    for (size_t i = 0; i < arcs.size(); ++i) {
      if (arcs.neighbors[i] == question.anchor) continue;
      AddRule(arcs.neighbors[i], SignedRelation(arcs.relations[i], direction));
    }
  }
}

}  // namespace slice
