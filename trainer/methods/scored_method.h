// Methods that learn a vector per node and a vector per relation and direction.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_SCORED_METHOD_H_
#define SLICE_TRAINER_METHODS_SCORED_METHOD_H_

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

#include "trainer/methods/link_method.h"
#include "trainer/methods/link_scorer.h"

namespace slice {

// The score of a link is the mean of two scores of a LinkScorer: that of its
// target as the answer, with the label 2 r, and that of its source as the
// answer, with the label 2 r + 1, where r is the relation. Immutable;
// thread-safe.
class ScoredMethod : public TrainedMethod {
 public:
  // The vectors of the nodes [nodes, dim] and of the labels [2 relations, dim].
  ScoredMethod(const at::Tensor& nodes, const at::Tensor& labels,
               std::shared_ptr<const LinkScorer> scorer, MethodSummary summary);

  // Score() and ScoreCandidates() throw c10::Error.
  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  void ScoreCandidates(const EndQuestion& question,
                       std::span<const NodeId> candidates,
                       std::span<float> scores) const override;
  NodeEmbeddings embeddings() const override;

 private:
  at::Tensor nodes_, labels_;
  at::Tensor answers_;  // [nodes, width]
  const std::shared_ptr<const LinkScorer> scorer_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_SCORED_METHOD_H_
