// The structural features of one question with every node as its answer.
#ifndef SLICE_CONTEXT_CANDIDATE_FEATURES_H_
#define SLICE_CONTEXT_CANDIDATE_FEATURES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "context/end_question.h"
#include "context/link_encoder.h"
#include "context/path_sum_propagation.h"

namespace slice {

// Thread-compatible; keeps its scratch memory, and of the relation asked for
// last what does not depend on the anchor, so that questions in the order of
// their relations are the cheapest.
class CandidateFeatures {
 public:
  // Both must outlive it and have one snapshot's catalogue.
  CandidateFeatures(const PropagationGraph& graph, const LinkEncoder& encoder);

  // Row v holds the scaled pair features of question.With(v), as
  // LinkEncoder::Encode gives them but without limits on the paths followed,
  // the queried links hidden as there. [nodes, features], valid until the next
  // call.
  std::span<const float> Compute(const EndQuestion& question);

  size_t feature_count() const { return feature_count_; }

 private:
  // A run of columns.
  struct Columns {
    size_t begin, size;
  };

  void FindColumns();
  void TurnTo(RelationId relation);
  void ComputeHidden(const EndQuestion& question, NodeId node,
                     std::span<float> row) const;

  const PropagationGraph* graph_;
  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const PairFeatures* features_;
  size_t feature_count_;
  std::vector<Columns> of_end_[2];  // of sources, of targets
  std::vector<float> nothing_;      // a row without any evidence, scaled
  PathSumPropagation propagation_;
  std::optional<RelationId> relation_;
  std::vector<float> ends_;      // [nodes, features]: each as source and target
  std::vector<float> spectral_;  // [nodes, SpectralVectors::kFeatures]
  std::vector<float> rows_;      // [nodes, features]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CANDIDATE_FEATURES_H_
