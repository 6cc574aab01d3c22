// Constant rules: rules that name a node, such as "whoever depends on X has the
// tag Y" (AnyBURL: Meilicke et al., IJCAI 2019). They are counted on the graph
// anew for each question; only rankings use them.
#ifndef SLICE_CONTEXT_CONSTANT_RULES_H_
#define SLICE_CONTEXT_CONSTANT_RULES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// How many of each are visited; a strided sample where there are more. The
// letters are those of ConstantRules::Run().
struct ConstantRuleLimits {
  // First kind of rules.
  size_t links = 256;    // links of the anchor, in each direction
  size_t others = 1000;  // the X of one rule
  // Second kind of rules.
  size_t neighbors = 64;        // links to some y, in each direction
  size_t answers = 32;          // the d of one y
  size_t neighbor_rules = 64;   // rules
  size_t rule_neighbors = 100;  // the Y of one rule
  size_t rule_others = 20;      // the X of one Y
};

// Thread-compatible; keeps its scratch memory (16 bytes per node).
class ConstantRules {
 public:
  explicit ConstantRules(const GraphSnapshot& snapshot,
                         const ConstantRuleLimits& limits = {});

  // Finds and counts the rules of `question`. Here `asked` is its relation and
  // s a signed relation. There are two kinds of rules for an answer c:
  //
  //   asked(X, c) <= s(X, d)               for every link of the anchor: s
  //                                        leads to d
  //   asked(X, c) <= s(X, Y), asked(Y, d)  for every link of the anchor: s
  //                                        leads to some y; and for every
  //                                        answer d of y
  //
  // Of the n nodes X other than the anchor for which the right side holds, k
  // have the answer c. The confidence of the rule is k / (n + 5). Where the X
  // of a first rule are sampled, k is scaled up; where the links of the anchor
  // are sampled, what their rules add is scaled up. The anchor's own links find
  // the rules but are not counted by them, and its links to c find no rule for
  // c.
  void Run(const EndQuestion& question);

  // The noisy-or of the rules of the first kind for `node` (-log of the chance
  // that all of them err, if they were independent), plus NoisyOrTerm() of the
  // strongest rule of the second kind.
  float At(NodeId node) const { return evidence_[node] + strongest_[node]; }

 private:
  // A rule of the second kind. `through` is the only y that gave it, or kNoNode
  // when several did.
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
  std::vector<float> evidence_;   // [nodes], of the first kind of rules
  std::vector<float> strongest_;  // [nodes], of the second kind
  std::vector<uint32_t> counts_;  // [nodes]: the k of each c; 0 between rules
  std::vector<NodeId> reached_;   // the nodes with a count that is not 0
  std::vector<uint32_t> stamps_;  // [nodes]: stamp_ where an X was counted
  uint32_t stamp_ = 0;
  std::vector<NeighborRule> neighbor_rules_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONSTANT_RULES_H_
