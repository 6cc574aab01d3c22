// Methods whose whole knowledge is a vector per node, and how two make a score.
#ifndef SLICE_TRAINER_METHODS_EMBEDDING_METHOD_H_
#define SLICE_TRAINER_METHODS_EMBEDDING_METHOD_H_

#include <span>
#include <utility>
#include <vector>

#include "trainer/methods/link_method.h"

namespace slice {

// The score of a link is the dot product of its ends' vectors, whatever the
// relation. Immutable; thread-safe.
class DotProductMethod : public TrainedMethod {
 public:
  // `values` is [nodes, dim] row-major.
  DotProductMethod(std::vector<float> values, size_t dim, MethodSummary summary)
      : values_(std::move(values)), dim_(dim) {
    summary_ = std::move(summary);
  }

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  NodeEmbeddings embeddings() const override { return {values_, dim_}; }

 private:
  const std::vector<float> values_;
  const size_t dim_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_EMBEDDING_METHOD_H_
