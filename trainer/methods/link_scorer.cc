// Each scorer writes its score as one dot product of a query with an answer.
// Where the formula needs them, it appends numbers to both vectors: DistMult
// appends 1 and w . t, the translation appends the squared lengths. ConvE
// appends nothing.
//
// Initial values come from the random generator of LibTorch, so
// at::manual_seed() decides them. Dropout acts on queries only, and only while
// training.
#include "trainer/methods/link_scorer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr int kKernel = 3;  // height and width

// The height of a picture of `dim` numbers: the largest divisor of `dim` that
// is at most its square root. 1 when `dim` is prime.
int PictureHeight(int dim) {
  auto height = static_cast<int>(std::sqrt(dim));
  while (dim % height != 0) --height;
  return height;
}

at::Tensor Uniform(at::IntArrayRef shape, double fan) {
  const double bound = 1 / std::sqrt(fan);
  return at::empty(shape).uniform_(-bound, bound).set_requires_grad(true);
}

at::Tensor Drop(const at::Tensor& numbers, double share) {
  return share > 0 ? at::dropout(numbers, share, true) : numbers;
}

at::Tensor SquaredLengths(const at::Tensor& rows) {
  return rows.square().sum(1, /*keepdim=*/true);
}

}  // namespace

DistMultScorer::DistMultScorer(int dim, double dropout)
    : dropout_(dropout),
      answer_weights_(at::zeros({dim, 1}).set_requires_grad(true)) {}

at::Tensor DistMultScorer::Queries(const at::Tensor& anchors,
                                   const at::Tensor& labels,
                                   bool training) const {
  return at::cat({Drop(anchors * labels, training ? dropout_ : 0),
                  at::ones({anchors.size(0), 1}, anchors.options())},
                 1);
}

at::Tensor DistMultScorer::Answers(const at::Tensor& nodes) const {
  return at::cat({nodes, at::mm(nodes, answer_weights_)}, 1);
}

// -|q - t|^2 = 2 q . t - |t|^2 - |q|^2, as a dot product of (2 q, 1, -|q|^2)
// with (t, -|t|^2, 1).
at::Tensor TranslationScorer::Queries(const at::Tensor& anchors,
                                      const at::Tensor& labels,
                                      bool /*training*/) const {
  const at::Tensor moved = anchors + labels;
  const at::Tensor own = SquaredLengths(moved);
  return at::cat({2 * moved, at::ones_like(own), -own}, 1);
}

at::Tensor TranslationScorer::Answers(const at::Tensor& nodes) const {
  const at::Tensor own = SquaredLengths(nodes);
  return at::cat({nodes, -own, at::ones_like(own)}, 1);
}

absl::StatusOr<std::unique_ptr<ConvEScorer>> ConvEScorer::Create(
    const Shape& shape) {
  const int height = PictureHeight(shape.dim);
  if (height < 2 || shape.dim / height < kKernel) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dim=", shape.dim,
        " numbers cannot be arranged as a picture for ConvE; choose a dim that "
        "is the product of a height of at least 2 and a width of at least 3, "
        "such as 100 or 200"));
  }
  return std::unique_ptr<ConvEScorer>(new ConvEScorer(shape, height));
}

ConvEScorer::ConvEScorer(const Shape& shape, int height)
    : shape_(shape), height_(height) {
  const int width = shape.dim / height;
  const int seen = (2 * height - kKernel + 1) * (width - kKernel + 1);
  const int features = shape.filters * seen;
  kernels_ = Uniform({shape.filters, 1, kKernel, kKernel}, kKernel * kKernel);
  kernel_bias_ = at::zeros({shape.filters}).set_requires_grad(true);
  weights_ = Uniform({features, shape.dim}, features);
  bias_ = at::zeros({shape.dim}).set_requires_grad(true);
}

at::Tensor ConvEScorer::Queries(const at::Tensor& anchors,
                                const at::Tensor& labels, bool training) const {
  const at::Tensor pictures =
      at::cat({anchors, labels}, 1)
          .view({anchors.size(0), 1, int64_t{2} * height_, -1});
  const at::Tensor features =
      at::conv2d(pictures, kernels_, kernel_bias_).relu().flatten(1);
  const at::Tensor hidden = at::addmm(bias_, features, weights_);
  return Drop(hidden, training ? shape_.dropout : 0).relu();
}

}  // namespace slice
