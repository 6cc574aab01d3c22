// What else those have who share something with the anchor: rules with a
// constant, of AnyBURL (Meilicke et al., IJCAI 2019). For rankings alone: they
// are counted on the graph at hand, question by question.
#ifndef SLICE_CONTEXT_CONSTANT_RULES_H_
#define SLICE_CONTEXT_CONSTANT_RULES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// A strided sample of what there is more of.
struct ConstantRuleLimits {
  size_t links = 256;     // of the anchor, in each direction
  size_t others = 1000;   // who share a node with the anchor
  size_t neighbors = 64;  // of the anchor, in each direction
  size_t answers = 32;    // of each of these
  size_t neighbor_rules = 64;
  size_t rule_neighbors = 100;  // who have the answer of a neighbour rule
  size_t rule_others = 20;      // who are linked to one of these
};

// Thread-compatible; keeps its scratch memory (16 bytes per node).
class ConstantRules {
 public:
  explicit ConstantRules(const GraphSnapshot& snapshot,
                         const ConstantRuleLimits& limits = {});

  // Two kinds of rules for an answer c, s being a signed relation:
  //
  //   asked(X, c) <= s(X, d)               for every link s of the anchor to d
  //   asked(X, c) <= s(X, Y), asked(Y, d)  for every link s of the anchor to
  //                                        some y, and every answer d of y's
  //
  // Of the n other nodes X that the body describes, k have the answer c: the
  // rule is sure to k / (n + 5). Where the others of the first kind were
  // sampled, k is scaled back; where links were, what their rules add is. Links
  // of the anchor itself count for nothing but to find the rules, and those to
  // c for none that speaks for c.
  void Run(const EndQuestion& question);

  // -log of the chance that every rule of the first kind for `node` errs, were
  // they independent, and the strongest of the second kind.
  float At(NodeId node) const { return evidence_[node] + strongest_[node]; }

 private:
  struct NeighborRule {
    int32_t relation;
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
  int32_t wanted_ = 0;            // signed relation from a node to its answers
  std::vector<float> evidence_;   // [nodes], by rules of the first kind
  std::vector<float> strongest_;  // [nodes], by rules of the second
  std::vector<uint32_t> counts_;  // [nodes], 0 between rules
  std::vector<NodeId> reached_;   // where it is not
  std::vector<uint32_t> stamps_;  // [nodes], stamp_ when counted
  uint32_t stamp_ = 0;
  std::vector<NeighborRule> neighbor_rules_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONSTANT_RULES_H_
