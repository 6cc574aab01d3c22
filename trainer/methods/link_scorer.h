// How likely a link is by the vectors of its ends and its relation.
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

// A link asks for one end, given the other and the label of the arc between:
// its score is the dot product of a query and an answer, so that one query is
// put to all nodes by a product of matrices. Thread-compatible; const functions
// may be called from several threads while no parameter changes.
class LinkScorer {
 public:
  virtual ~LinkScorer() = default;

  // [n, width], of anchors and labels [n, dim].
  virtual at::Tensor Queries(const at::Tensor& anchors,
                             const at::Tensor& labels, bool training) const = 0;
  // [n, width], of nodes [n, dim].
  virtual at::Tensor Answers(const at::Tensor& nodes) const { return nodes; }
  // To be optimised, beside the vectors; each requires a gradient.
  virtual std::vector<at::Tensor> parameters() const { return {}; }
};

// sum over k of a[k] z[k] t[k] (Yang et al., ICLR 2015), and w . t for how
// often anything is the answer.
class DistMultScorer : public LinkScorer {
 public:
  // `dropout` is of the numbers of queries.
  DistMultScorer(int dim, double dropout);

  at::Tensor Queries(const at::Tensor& anchors, const at::Tensor& labels,
                     bool training) const override;
  at::Tensor Answers(const at::Tensor& nodes) const override;
  std::vector<at::Tensor> parameters() const override { return {often_}; }

 private:
  const double dropout_;
  at::Tensor often_;  // [dim, 1]
};

// -|a + z - t|^2 (Bordes et al., NeurIPS 2013).
class TranslationScorer : public LinkScorer {
 public:
  at::Tensor Queries(const at::Tensor& anchors, const at::Tensor& labels,
                     bool training) const override;
  at::Tensor Answers(const at::Tensor& nodes) const override;
};

// f(W vec(f(kernels * [a; z]))) . t, with a and z as pictures one above the
// other and f = ReLU: Dettmers et al., AAAI 2018, eq. 1.
class ConvEScorer : public LinkScorer {
 public:
  struct Shape {
    int dim = 200;
    int filters = 32;    // of 3 x 3
    double dropout = 0;  // of the numbers of queries
  };
  // INVALID_ARGUMENT where `dim` numbers make no picture that is 2 high and 3
  // wide at least. Draws from LibTorch's generator.
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
