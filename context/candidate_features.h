// The structural features of one question with many nodes as its answer.
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

// Thread-compatible, const methods thread-safe; keeps its scratch memory, and
// the end features of the relation asked for last: unless `ends` is given,
// questions in the order of their relations are the cheapest.
class CandidateFeatures {
 public:
  // All must outlive it and have one snapshot's catalogue. A question is
  // propagated by so many threads. `ends` may be shared.
  CandidateFeatures(const PropagationGraph& graph, const LinkEncoder& encoder,
                    int threads = 1, EndFeatureCache* ends = nullptr);

  // Propagates from the anchor: the question that everything below is about.
  // Constant rules are left out unless asked for.
  void Ask(const EndQuestion& question, bool with_constants = false);

  // Adds the constant rules of the question unless it has them.
  void AddConstants();

  // Row i holds the scaled pair features of question.With(candidates[i]), as
  // LinkEncoder::Encode gives them but without limits on the paths followed,
  // the queried links hidden as there. `rows` is [candidates, features].
  // REQUIRES: a question was asked.
  void ComputeRows(std::span<const NodeId> candidates,
                   std::span<float> rows) const;

  // How much rules, path rules for the end asked for and
  // `constant_weight` times constant rules, speak for `node`: log(noisy-or +
  // prior), the prior a tenth of the share of the relation's links that the
  // node has. 0 without path rules. REQUIRES: the question has constant rules,
  // or they weigh 0.
  float RuleScore(NodeId node, double constant_weight) const;

  // The path sums of the last question.
  const PathSumPropagation& paths() const { return propagation_; }

  size_t feature_count() const { return feature_count_; }

 private:
  void ComputeHidden(NodeId node, std::span<float> row) const;
  void ComputeApart(NodeId node, std::span<float> row) const;
  void ComputeSpectral(std::span<const NodeId> candidates,
                       std::span<float> rows) const;

  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const PairFeatures* features_;
  int threads_;
  size_t feature_count_;
  std::vector<float> nothing_;  // a row without any evidence, scaled
  std::unique_ptr<EndFeatureCache> own_ends_;  // when none is shared
  EndFeatureCache* ends_;
  PathSumPropagation propagation_;
  std::optional<RulePropagation> rules_;
  ConstantRules constants_;
  bool has_constants_ = false;  // of the last question
  SpectralVectors::Anchor spectral_;
  std::vector<float> common_;  // a row that says what the anchor does
  EndQuestion question_;
  std::shared_ptr<const EndFeatures> end_features_;  // of its relation
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CANDIDATE_FEATURES_H_
