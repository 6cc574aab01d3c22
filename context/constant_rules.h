// What else those have who share something with the anchor: rules with a
// constant, r(X, c) <= s(X, d), of AnyBURL (Meilicke et al., IJCAI 2019). For
// rankings alone: they are counted on the graph at hand, question by question.
#ifndef SLICE_CONTEXT_CONSTANT_RULES_H_
#define SLICE_CONTEXT_CONSTANT_RULES_H_

#include <cstddef>
#include <vector>

#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Thread-compatible; keeps its scratch memory (8 bytes per node).
class ConstantRules {
 public:
  explicit ConstantRules(const GraphSnapshot& snapshot);

  // For every link of the anchor, by a signed relation s to d: of the n other
  // nodes that s links to d, k are linked to c as the question asks, which
  // makes the rule "who is linked to d is linked to c" sure to k / (n + 5). Of
  // more than 1,000 such nodes a strided sample is asked, k scaled back. Links
  // of the anchor itself count for nothing but to find d, and none to c at all.
  void Run(const EndQuestion& question);

  // -log of the chance that every rule for `node` errs, were they independent.
  float At(NodeId node) const { return evidence_[node]; }

 private:
  void AddRule(NodeId d, int32_t relation);

  const GraphSnapshot* snapshot_;
  EndQuestion question_;
  std::vector<float> evidence_;   // [nodes]
  std::vector<uint32_t> counts_;  // [nodes], 0 between rules
  std::vector<NodeId> reached_;   // where it is not
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONSTANT_RULES_H_
