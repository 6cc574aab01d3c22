// Methods with a vector per node and one per relation.
#ifndef SLICE_TRAINER_METHODS_DISTMULT_METHOD_H_
#define SLICE_TRAINER_METHODS_DISTMULT_METHOD_H_

#include <span>
#include <utility>
#include <vector>

#include "trainer/methods/link_method.h"

namespace slice {

// The score of (s, r, t) is sum over k of v_s[k] w_r[k] v_t[k] (Yang et al.,
// ICLR 2015). Immutable; thread-safe.
class DistMultMethod : public TrainedMethod {
 public:
  // `values` is [nodes, dim], `relations` [relations, dim]; both row-major.
  DistMultMethod(std::vector<float> values, std::vector<float> relations,
                 size_t dim, MethodSummary summary)
      : values_(std::move(values)),
        relations_(std::move(relations)),
        dim_(dim) {
    summary_ = std::move(summary);
  }

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  void ScoreCandidates(const EndQuestion& question,
                       std::span<const NodeId> candidates,
                       std::span<float> scores) const override;
  NodeEmbeddings embeddings() const override { return {values_, dim_}; }

 private:
  // v_node w_relation.
  std::vector<float> Query(NodeId node, RelationId relation) const;

  const std::vector<float> values_, relations_;
  const size_t dim_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_DISTMULT_METHOD_H_
