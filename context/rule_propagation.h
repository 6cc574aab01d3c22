// What the path rules say of the links between one node, the anchor, and all
// other nodes.
#ifndef SLICE_CONTEXT_RULE_PROPAGATION_H_
#define SLICE_CONTEXT_RULE_PROPAGATION_H_

#include <vector>

#include "context/end_question.h"
#include "context/path_counter.h"
#include "context/path_rules.h"
#include "context/rule_evidence.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Thread-compatible; keeps its scratch memory (36 bytes per node).
class RulePropagation {
 public:
  // Both arguments must outlive the object.
  RulePropagation(const GraphSnapshot& snapshot, const PathRules& rules);

  // Collects the evidence of the path rules for every node as the answer to
  // `question`. Rules with a path of a single link are left out.
  void Run(const EndQuestion& question);
  const RuleEvidence& At(NodeId node) const { return evidence_[node]; }

 private:
  const PathRules* rules_;
  PathCounter counter_;
  std::vector<RuleEvidence> evidence_;  // [nodes]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_RULE_PROPAGATION_H_
