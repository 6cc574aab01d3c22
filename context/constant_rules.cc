// Counts constant rules anew for each question; see constant_rules.h for the
// two kinds of rules and for the letters.
//
// A rule is counted in two steps. First, every node X for which the right side
// of the rule holds adds 1 to counts_[c] for each c that is an answer of X;
// reached_ lists these c. Then the confidence of the rule for each c in
// reached_ goes into the evidence of c, and counts_[c] returns to 0. So counts_
// is all 0 between two rules, and a rule costs time in proportion to the links
// that it visits, not to the nodes of the graph.
#include "context/constant_rules.h"

#include <algorithm>
#include <array>

#include "context/neighbor_sample.h"
#include "context/node_slots.h"
#include "context/path_rules.h"

namespace slice {
namespace {

constexpr float kPriorStrength = 5;

float Confidence(float hits, float others) {
  return hits / (others + kPriorStrength);
}

// NoisyOrTerm() of one rule for one answer, by how many of the visited X have
// this answer. The rule has `n` nodes X, and each visited X stands for `scale`
// of them. Most counts are small, so the terms of small counts are computed
// once.
class RuleTerms {
 public:
  RuleTerms(float n, float scale) : n_(n), scale_(scale) { small_.fill(-1); }

  float Of(uint32_t count) {
    if (count >= small_.size()) return Compute(count);
    if (small_[count] < 0) small_[count] = Compute(count);
    return small_[count];
  }

 private:
  float Compute(uint32_t count) const {
    return NoisyOrTerm(
        Confidence(std::min(scale_ * static_cast<float>(count), n_), n_));
  }

  const float n_, scale_;
  std::array<float, 32> small_;
};

}  // namespace

ConstantRules::ConstantRules(const GraphSnapshot& snapshot,
                             const ConstantRuleLimits& limits)
    : snapshot_(&snapshot),
      limits_(limits),
      evidence_(snapshot.node_count()),
      strongest_(snapshot.node_count()),
      counts_(snapshot.node_count()),
      stamps_(snapshot.node_count()) {}

void ConstantRules::CountAnswers(NodeId node) {
  for (const NodeId c : SlotNodes(*snapshot_, node, asked_)) {
    if (counts_[c]++ == 0) reached_.push_back(c);
  }
}

// Adds the first kind of rule for the link that leads from the anchor by
// `relation` to `d`. This link stands for `times` links of the anchor.
void ConstantRules::AddRule(NodeId d, int32_t relation, float times) {
  const auto others = SlotNodes(*snapshot_, d, -relation);
  ForEachStrided(others.size(), limits_.others, [&](size_t i) {
    if (others[i] != question_.anchor) CountAnswers(others[i]);
  });
  const auto scale = static_cast<float>(Stride(others.size(), limits_.others));
  const float n = static_cast<float>(others.size()) - 1;  // without the anchor
  RuleTerms terms(n, scale);
  for (const NodeId c : reached_) {
    // The anchor's link to d is no evidence for a link to d.
    if (c != d) evidence_[c] += times * terms.Of(counts_[c]);
    counts_[c] = 0;
  }
  reached_.clear();
}

// Fills neighbor_rules_ with the rules of the second kind, sorted and distinct.
void ConstantRules::FindNeighborRules() {
  neighbor_rules_.clear();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan arcs = snapshot_->Arcs(question_.anchor, direction);
    ForEachStrided(arcs.size(), limits_.neighbors, [&](size_t i) {
      const NodeId y = arcs.neighbors[i];
      if (y == question_.anchor) return;
      const auto answers = SlotNodes(*snapshot_, y, asked_);
      ForEachStrided(answers.size(), limits_.answers, [&](size_t j) {
        neighbor_rules_.push_back(
            {SignedRelation(arcs.relations[i], direction), answers[j], y});
      });
    });
  }
  std::sort(neighbor_rules_.begin(), neighbor_rules_.end());
  size_t kept = 0;
  for (const NeighborRule& rule : neighbor_rules_) {
    NeighborRule* last = kept > 0 ? &neighbor_rules_[kept - 1] : nullptr;
    if (last == nullptr || last->relation != rule.relation ||
        last->d != rule.d) {
      neighbor_rules_[kept++] = rule;
    } else if (last->through != rule.through) {
      last->through = kNoNode;
    }
  }
  neighbor_rules_.resize(kept);
}

void ConstantRules::AddNeighborRule(const NeighborRule& rule) {
  if (++stamp_ == 0) {  // wrapped: old stamps could be taken for new ones
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
  float n = 0;
  const auto neighbors = SlotNodes(*snapshot_, rule.d, -asked_);
  ForEachStrided(neighbors.size(), limits_.rule_neighbors, [&](size_t i) {
    if (neighbors[i] == question_.anchor) return;
    const auto others = SlotNodes(*snapshot_, neighbors[i], -rule.relation);
    ForEachStrided(others.size(), limits_.rule_others, [&](size_t j) {
      const NodeId other = others[j];
      if (other == question_.anchor || stamps_[other] == stamp_) return;
      stamps_[other] = stamp_;
      ++n;
      CountAnswers(other);
    });
  });
  RuleTerms terms(n, 1);
  for (const NodeId c : reached_) {
    // A rule found only through the anchor's link to c is no evidence for c.
    if (c != rule.through) {
      strongest_[c] = std::max(strongest_[c], terms.Of(counts_[c]));
    }
    counts_[c] = 0;
  }
  reached_.clear();
}

void ConstantRules::Run(const EndQuestion& question) {
  question_ = question;
  asked_ = SignedRelation(question.relation, question.direction);
  std::fill(evidence_.begin(), evidence_.end(), 0.0f);
  std::fill(strongest_.begin(), strongest_.end(), 0.0f);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan arcs = snapshot_->Arcs(question.anchor, direction);
    const auto times = static_cast<float>(Stride(arcs.size(), limits_.links));
    ForEachStrided(arcs.size(), limits_.links, [&](size_t i) {
      if (arcs.neighbors[i] == question.anchor) return;
      AddRule(arcs.neighbors[i], SignedRelation(arcs.relations[i], direction),
              times);
    });
  }
  FindNeighborRules();
  ForEachStrided(neighbor_rules_.size(), limits_.neighbor_rules,
                 [&](size_t i) { AddNeighborRule(neighbor_rules_[i]); });
}

}  // namespace slice
