// Methods that learn nothing but vectors per node, and how two vectors make a
// score.
#ifndef SLICE_TRAINER_METHODS_EMBEDDING_METHOD_H_
#define SLICE_TRAINER_METHODS_EMBEDDING_METHOD_H_

#include <span>
#include <utility>
#include <vector>

#include "trainer/methods/link_method.h"

namespace slice {

// The score of a link is the dot product of its ends' vectors; the relation
// does not matter. Immutable; thread-safe.
class DotProductMethod : public TrainedMethod {
 public:
  // `values` is [nodes, dim] row-major.
  DotProductMethod(std::vector<float> values, size_t dim, MethodSummary summary)
      : values_(std::move(values)), dim_(dim) {
    summary_ = std::move(summary);
  }

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  void ScoreCandidates(const EndQuestion& question,
                       std::span<const NodeId> candidates,
                       std::span<float> scores) const override;
  NodeEmbeddings embeddings() const override { return {values_, dim_}; }

 private:
  const std::vector<float> values_;
  const size_t dim_;
};

// The score of a link is in(u) . out(v) + in(v) . out(u), with the input and
// the output vectors of skip-gram. Skip-gram trains these very products: each
// estimates a shifted pointwise mutual information of the two nodes (Levy and
// Goldberg, NeurIPS 2014). Immutable; thread-safe.
class InputOutputMethod : public TrainedMethod {
 public:
  // Both tables are [nodes, dim] row-major.
  InputOutputMethod(std::vector<float> inputs, std::vector<float> outputs,
                    size_t dim, MethodSummary summary)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)), dim_(dim) {
    summary_ = std::move(summary);
  }

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  void ScoreCandidates(const EndQuestion& question,
                       std::span<const NodeId> candidates,
                       std::span<float> scores) const override;
  NodeEmbeddings embeddings() const override { return {inputs_, dim_}; }

 private:
  const std::vector<float> inputs_, outputs_;
  const size_t dim_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_EMBEDDING_METHOD_H_
