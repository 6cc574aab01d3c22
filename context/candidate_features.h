// The pair features of many candidates for the answer to one question.
//
// A question (EndQuestion) names a relation and one end of a link, the anchor.
// It asks for the other end. Each candidate is a node that could be this other
// end.
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

// Thread-compatible; const methods are thread-safe.
//
// Keeps its scratch memory and the end features (context/end_features.h) of the
// relation that was asked last, so a question costs less when the question
// before it had the same relation. A shared EndFeatureCache keeps the end
// features of several relations; with it, the order of the questions matters
// little.
class CandidateFeatures {
 public:
  // All arguments must outlive the object and belong to one graph. Ask() uses
  // at most `threads` threads. `ends` may be shared with other objects; when it
  // is null, the object keeps end features for itself, of one relation at a
  // time.
  CandidateFeatures(const PropagationGraph& graph, const LinkEncoder& encoder,
                    int threads = 1, EndFeatureCache* ends = nullptr);

  // Sets the question to which all methods below refer. Computes the path sums
  // and the evidence of the path rules between the anchor of `question` and all
  // nodes at once, and the evidence of the constant rules if `with_constants`.
  void Ask(const EndQuestion& question, bool with_constants = false);

  // Computes the evidence of the constant rules, unless Ask() did.
  void AddConstants();

  // Fills `rows`, [candidates, features]: row i holds the scaled pair features
  // of the link question.With(candidates[i]). They equal those of
  // LinkEncoder::Encode, with the same links hidden, except that LinkEncoder
  // may sample paths and this class never does. REQUIRES: Ask() was called.
  void ComputeRows(std::span<const NodeId> candidates,
                   std::span<float> rows) const;

  // How strongly the rules speak for `node` as the answer:
  //   log(path + constant_weight * constant + prior)
  // where `path` is the noisy-or of the path rules (RuleEvidence), `constant`
  // is ConstantRules::At(node), and `prior` is 0.1 * (n + 0.1) / (N + 1): n of
  // the N links of the relation have `node` as the wanted end, not counting the
  // link between the anchor and `node`. The score is 0 for every node when the
  // encoder has no path rules. REQUIRES: constant_weight is 0, or the evidence
  // of the constant rules was computed.
  float RuleScore(NodeId node, double constant_weight) const;

  // The path sums between the anchor and all nodes.
  const PathSumPropagation& paths() const { return propagation_; }

  size_t feature_count() const { return feature_count_; }

 private:
  void ComputeLinked(NodeId node, std::span<float> row) const;
  void ComputeUnlinked(NodeId node, std::span<float> row) const;
  // Whether what is read from `vectors` depends on what is hidden.
  template <typename Vectors>
  bool NeedsFoldIn(const Vectors& vectors, NodeId candidate) const;
  void ComputeSpectral(std::span<const NodeId> candidates,
                       std::span<float> rows) const;
  void ComputeWalks(std::span<const NodeId> candidates,
                    std::span<float> rows) const;

  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const PairFeatures* features_;
  int threads_;
  size_t feature_count_;
  std::vector<float> nothing_;                 // a row of zeros, scaled
  std::unique_ptr<EndFeatureCache> own_ends_;  // null when a cache is shared
  EndFeatureCache* ends_;
  PathSumPropagation propagation_;
  std::optional<RulePropagation> rules_;
  ConstantRules constants_;
  bool has_constants_ = false;  // whether constants_ is of this question
  SpectralVectors::Anchor spectral_;
  WalkVectors::Anchor walks_;
  // A row with the end features of the anchor, and nothing_ elsewhere.
  std::vector<float> common_;
  EndQuestion question_;
  std::span<const NodeId> linked_;  // the answers that the graph has; ascending
  std::shared_ptr<const EndFeatures> end_features_;  // of question_.relation
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CANDIDATE_FEATURES_H_
