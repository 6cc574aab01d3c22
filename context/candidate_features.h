// The structural features of one question with many nodes as its answer.
#ifndef SLICE_CONTEXT_CANDIDATE_FEATURES_H_
#define SLICE_CONTEXT_CANDIDATE_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "context/constant_rules.h"
#include "context/end_question.h"
#include "context/link_encoder.h"
#include "context/path_sum_propagation.h"
#include "context/rule_propagation.h"

namespace slice {

// Thread-compatible; keeps its scratch memory, and of the relation asked for
// last what does not depend on the anchor, so that questions in the order of
// their relations are the cheapest.
class CandidateFeatures {
 public:
  // Both must outlive it and have one snapshot's catalogue. A question is
  // worked on by so many threads.
  CandidateFeatures(const PropagationGraph& graph, const LinkEncoder& encoder,
                    int threads = 1);

  // Row i holds the scaled pair features of question.With(candidates[i]), as
  // LinkEncoder::Encode gives them but without limits on the paths followed,
  // the queried links hidden as there. [candidates, features], valid until the
  // next call.
  std::span<const float> Compute(const EndQuestion& question,
                                 std::span<const NodeId> candidates);

  // Of the last question, how much rules, path rules for the end asked for and
  // `constant_weight` times constant rules, speak for `node`: log(noisy-or +
  // prior), the prior a tenth of the share of the relation's links that the
  // node has. 0 without path rules.
  float RuleScore(NodeId node, double constant_weight);

  // The path sums of the last question.
  const PathSumPropagation& paths() const { return propagation_; }

  size_t feature_count() const { return feature_count_; }

 private:
  // A run of columns.
  struct Columns {
    size_t begin, size;
  };

  void FindColumns();
  void TurnTo(RelationId relation);
  void Propagate(const EndQuestion& question);
  void ComputeHidden(const EndQuestion& question, NodeId node,
                     std::span<float> row) const;
  void ComputeApart(const EndQuestion& question, NodeId node,
                    std::span<float> row) const;

  const PropagationGraph* graph_;
  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const PairFeatures* features_;
  int threads_;
  size_t feature_count_;
  std::vector<Columns> of_end_[2];  // of sources, of targets
  std::vector<float> nothing_;      // a row without any evidence, scaled
  PathSumPropagation propagation_;
  std::optional<RulePropagation> rules_;
  ConstantRules constants_;
  bool has_constants_ = false;  // of the last question
  std::optional<RelationId> relation_;
  std::vector<float> ends_;      // [nodes, features]: each as source and target
  std::vector<float> spectral_;  // [nodes, SpectralVectors::kFeatures]
  std::vector<float> rows_;      // [candidates, features]
  EndQuestion question_;
  // Links of the relation asked for last: of each node as source and as
  // target, and of all.
  std::vector<uint32_t> slot_sizes_[2];
  double relation_links_ = 0;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CANDIDATE_FEATURES_H_
