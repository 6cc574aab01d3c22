// Scores links from the vectors of their ends and of their relation.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_LINK_SCORER_H_
#define SLICE_TRAINER_METHODS_LINK_SCORER_H_

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// Scores answers to a question: one end of a link is known (the anchor), and
// the other end is wanted. The label stands for the relation and the direction:
// 2 r when the target is wanted, 2 r + 1 when the source is wanted. The score
// is the dot product of a query, made of the vectors of anchor and label, with
// an answer, made of the vector of the other node. One matrix product therefore
// scores one query against all nodes. Thread-compatible; const functions may be
// called from several threads while no parameter changes.
class LinkScorer {
 public:
  virtual ~LinkScorer() = default;

  // The queries [n, width] of anchors [n, dim] and labels [n, dim].
  virtual at::Tensor Queries(const at::Tensor& anchors,
                             const at::Tensor& labels, bool training) const = 0;
  // The answers [n, width] of nodes [n, dim].
  virtual at::Tensor Answers(const at::Tensor& nodes) const { return nodes; }
  // The tensors to optimise in addition to the vectors. Each requires a
  // gradient.
  virtual std::vector<at::Tensor> parameters() const { return {}; }
};

// DistMult: the score is the sum over k of a[k] z[k] t[k] (Yang et al., ICLR
// 2015), plus w . t. Here a, z and t are the vectors of the anchor, the label
// and the answer. The learned vector w tells how often a node is an answer at
// all.
class DistMultScorer : public LinkScorer {
 public:
  // `dropout` is the share of the numbers of a query that training drops.
  DistMultScorer(int dim, double dropout);

  at::Tensor Queries(const at::Tensor& anchors, const at::Tensor& labels,
                     bool training) const override;
  at::Tensor Answers(const at::Tensor& nodes) const override;
  std::vector<at::Tensor> parameters() const override {
    return {answer_weights_};
  }

 private:
  const double dropout_;
  at::Tensor answer_weights_;  // [dim, 1]
};

// The score is -|a + z - t|^2 (Bordes et al., NeurIPS 2013), with a, z and t as
// above.
class TranslationScorer : public LinkScorer {
 public:
  at::Tensor Queries(const at::Tensor& anchors, const at::Tensor& labels,
                     bool training) const override;
  at::Tensor Answers(const at::Tensor& nodes) const override;
};

// ConvE: the score is f(W vec(f(kernels * [a; z]))) . t (Dettmers et al., AAAI
// 2018, eq. 1), with a, z and t as above. [a; z] arranges a and z as two
// pictures, one above the other; * is a convolution and f is ReLU.
class ConvEScorer : public LinkScorer {
 public:
  struct Shape {
    int dim = 200;
    int filters = 32;    // each 3 x 3
    double dropout = 0;  // share of the numbers of a query
  };
  // INVALID_ARGUMENT when `dim` numbers cannot be arranged as a picture at
  // least 2 high and 3 wide. The initial parameters come from the random
  // generator of LibTorch.
  static absl::StatusOr<std::unique_ptr<ConvEScorer>> Create(
      const Shape& shape);

  at::Tensor Queries(const at::Tensor& anchors, const at::Tensor& labels,
                     bool training) const override;
  std::vector<at::Tensor> parameters() const override {
    return {kernels_, kernel_bias_, weights_, bias_};
  }

 private:
  ConvEScorer(const Shape& shape, int height);

  const Shape shape_;
  const int height_;
  at::Tensor kernels_, kernel_bias_, weights_, bias_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_LINK_SCORER_H_
