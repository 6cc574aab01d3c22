// The pair features of one question for many candidate answers.
#ifndef SLICE_CONTEXT_CANDIDATE_FEATURES_H_
#define SLICE_CONTEXT_CANDIDATE_FEATURES_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "context/constant_rules.h"
#include "context/end_feature_cache.h"
#include "context/end_features.h"
#include "context/end_question.h"
#include "context/link_encoder.h"
#include "context/path_sum_propagation.h"
#include "context/propagation_graph.h"
#include "context/rule_propagation.h"

namespace slice {

// Thread-compatible; const methods are thread-safe. Keeps its scratch memory
// and the end features of the last question's relation. Without a shared cache
// of end features, questions are cheapest in the order of their relations.
class CandidateFeatures {
 public:
  // All arguments must outlive it and belong to one graph. `threads` threads
  // propagate a question. `ends`, if given, may be shared with others.
  CandidateFeatures(const PropagationGraph& graph, const LinkEncoder& encoder,
                    int threads = 1, EndFeatureCache* ends = nullptr);

  // Propagates from the anchor of `question`. The methods below are about this
  // question.
  void Ask(const EndQuestion& question, bool with_constants = false);

  // Runs the constant rules of the question unless Ask() did.
  void AddConstants();

  // Fills `rows`, [candidates, features]: row i holds the scaled pair features
  // of question.With(candidates[i]). They are those of LinkEncoder::Encode,
  // with the same links hidden, except that paths are not sampled. REQUIRES: a
  // question was asked.
  void ComputeRows(std::span<const NodeId> candidates,
                   std::span<float> rows) const;

  // How much the rules speak for `node` as the answer: log(path rules +
  // constant_weight * constant rules + prior), both rule terms noisy-ors. The
  // prior is a tenth of the node's share of the relation's links. 0 without
  // path rules. REQUIRES: constant_weight is 0 or the constant rules were run.
  float RuleScore(NodeId node, double constant_weight) const;

  // The path sums of the last question.
  const PathSumPropagation& paths() const { return propagation_; }

  size_t feature_count() const { return feature_count_; }

 private:
  void ComputeLinked(NodeId node, std::span<float> row) const;
  void ComputeUnlinked(NodeId node, std::span<float> row) const;
  void ComputeSpectral(std::span<const NodeId> candidates,
                       std::span<float> rows) const;

  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const PairFeatures* features_;
  int threads_;
  size_t feature_count_;
  std::vector<float> nothing_;  // the scaled row of a pair without evidence
  std::unique_ptr<EndFeatureCache> own_ends_;  // when no cache is shared
  EndFeatureCache* ends_;
  PathSumPropagation propagation_;
  std::optional<RulePropagation> rules_;
  ConstantRules constants_;
  bool has_constants_ = false;  // whether constants_ is of this question
  SpectralVectors::Anchor spectral_;
  std::vector<float> common_;  // nothing_ with the end features of the anchor
  EndQuestion question_;
  std::shared_ptr<const EndFeatures> end_features_;  // of question_.relation
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CANDIDATE_FEATURES_H_
