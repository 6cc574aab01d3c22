// Constant rules: rules that name a node, such as "whoever depends on gtk has
// the tag gui" (AnyBURL: Meilicke et al., IJCAI 2019). They are counted on the
// graph anew for each question; only rankings use them.
#ifndef SLICE_CONTEXT_CONSTANT_RULES_H_
#define SLICE_CONTEXT_CONSTANT_RULES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// How many elements of each kind are visited. Where there are more, a strided
// sample of this many is visited. ConstantRules::Run() explains the letters.
struct ConstantRuleLimits {
  // First kind of rules.
  size_t links = 256;    // links of the anchor, in each direction
  size_t others = 1000;  // nodes X of one rule
  // Second kind of rules.
  size_t neighbors = 64;        // links of the anchor to y, in each direction
  size_t answers = 32;          // nodes d of one y
  size_t neighbor_rules = 64;   // rules, over all y and d
  size_t rule_neighbors = 100;  // nodes Y of one rule
  size_t rule_others = 20;      // nodes X of one Y
};

// Thread-compatible; keeps its scratch memory (16 bytes per node).
class ConstantRules {
 public:
  explicit ConstantRules(const GraphSnapshot& snapshot,
                         const ConstantRuleLimits& limits = {});

  // Finds the rules that the links of the anchor (the known end of `question`)
  // suggest, and counts how often each holds. Below, `asked` is the relation of
  // the question and s a signed relation. X and Y are variables; c, d and y are
  // given nodes. There are two kinds of rules for an answer c:
  //
  //   asked(X, c) <= s(X, d)
  //       for every link of the anchor, which leads by s to d
  //   asked(X, c) <= s(X, Y), asked(Y, d)
  //       for every link of the anchor, which leads by s to y, and every answer
  //       d of y
  //
  // Let n be the number of nodes X, other than the anchor, for which the right
  // side holds; k of them have the answer c. The confidence of the rule for c
  // is k / (n + 5). Where the X of a rule of the first kind are sampled, k is
  // scaled up. Where the links of the anchor are sampled, the evidence of their
  // rules is scaled up. The anchor's links suggest rules, but never count in n
  // or k, and its links to c suggest no rule for c.
  void Run(const EndQuestion& question);

  // The evidence for `node` as the answer: the noisy-or of the rules of the
  // first kind, plus NoisyOrTerm() of the strongest rule of the second kind.
  float At(NodeId node) const { return evidence_[node] + strongest_[node]; }

 private:
  // A rule of the second kind. `through` is the y that suggested the rule, or
  // kNoNode when several did.
  struct NeighborRule {
    int32_t relation;  // s
    NodeId d, through;
    auto operator<=>(const NeighborRule&) const = default;
  };

  void CountAnswers(NodeId node);
  void AddRule(NodeId d, int32_t relation, float times);
  void FindNeighborRules();
  void AddNeighborRule(const NeighborRule& rule);

  const GraphSnapshot* snapshot_;
  ConstantRuleLimits limits_;
  EndQuestion question_;
  int32_t asked_ = 0;             // signed relation from a node to its answers
  std::vector<float> evidence_;   // [nodes]: the first kind of rules
  std::vector<float> strongest_;  // [nodes]: the second kind of rules
  std::vector<uint32_t> counts_;  // [nodes]: the k of each c; 0 between rules
  std::vector<NodeId> reached_;   // the nodes whose count is not 0
  std::vector<uint32_t> stamps_;  // [nodes]: stamp_ where this rule counted X
  uint32_t stamp_ = 0;
  std::vector<NeighborRule> neighbor_rules_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONSTANT_RULES_H_
