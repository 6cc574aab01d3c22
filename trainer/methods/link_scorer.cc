#include "trainer/methods/link_scorer.h"

#include <ATen/ATen.h>

#include <cmath>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr int kKernel = 3;  // high and wide

// The height of the flattest picture of `dim` numbers; 1 where there is none.
int PictureHeight(int dim) {
  auto height = static_cast<int>(std::sqrt(dim));
  while (dim % height != 0) --height;
  return height;
}

torch::Tensor Uniform(at::IntArrayRef shape, double fan) {
  const double bound = 1 / std::sqrt(fan);
  return torch::empty(shape).uniform_(-bound, bound).set_requires_grad(true);
}

torch::Tensor Drop(const torch::Tensor& numbers, double share) {
  return share > 0 ? at::dropout(numbers, share, true) : numbers;
}

torch::Tensor SquaredLengths(const torch::Tensor& rows) {
  return rows.square().sum(1, /*keepdim=*/true);
}

}  // namespace

DistMultScorer::DistMultScorer(int dim, double dropout)
    : dropout_(dropout),
      often_(torch::zeros({dim, 1}).set_requires_grad(true)) {}

torch::Tensor DistMultScorer::Queries(const torch::Tensor& anchors,
                                      const torch::Tensor& labels,
                                      bool training) const {
  return at::cat({Drop(anchors * labels, training ? dropout_ : 0),
                  at::ones({anchors.size(0), 1}, anchors.options())},
                 1);
}

torch::Tensor DistMultScorer::Answers(const torch::Tensor& nodes) const {
  return at::cat({nodes, torch::mm(nodes, often_)}, 1);
}

// -|q - t|^2 = 2 q . t - |t|^2 - |q|^2.
torch::Tensor TranslationScorer::Queries(const torch::Tensor& anchors,
                                         const torch::Tensor& labels,
                                         bool /*training*/) const {
  const torch::Tensor moved = anchors + labels;
  const torch::Tensor own = SquaredLengths(moved);
  return at::cat({2 * moved, at::ones_like(own), -own}, 1);
}

torch::Tensor TranslationScorer::Answers(const torch::Tensor& nodes) const {
  const torch::Tensor own = SquaredLengths(nodes);
  return at::cat({nodes, -own, at::ones_like(own)}, 1);
}

absl::StatusOr<std::unique_ptr<ConvEScorer>> ConvEScorer::Create(
    const Shape& shape) {
  const int height = PictureHeight(shape.dim);
  if (height < 2 || shape.dim / height < kKernel) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dim=", shape.dim,
        " numbers make no picture for ConvE: it wants the product of two whole "
        "numbers from 2 and 3 on, such as 100 or 200"));
  }
  return std::unique_ptr<ConvEScorer>(new ConvEScorer(shape, height));
}

ConvEScorer::ConvEScorer(const Shape& shape, int height)
    : shape_(shape), height_(height) {
  const int width = shape.dim / height;
  const int seen = (2 * height - kKernel + 1) * (width - kKernel + 1);
  const int features = shape.filters * seen;
  kernels_ = Uniform({shape.filters, 1, kKernel, kKernel}, kKernel * kKernel);
  kernel_bias_ = torch::zeros({shape.filters}).set_requires_grad(true);
  weights_ = Uniform({features, shape.dim}, features);
  bias_ = torch::zeros({shape.dim}).set_requires_grad(true);
}

torch::Tensor ConvEScorer::Queries(const torch::Tensor& anchors,
                                   const torch::Tensor& labels,
                                   bool training) const {
  const torch::Tensor pictures =
      at::cat({anchors, labels}, 1)
          .view({anchors.size(0), 1, int64_t{2} * height_, -1});
  const torch::Tensor features =
      at::conv2d(pictures, kernels_, kernel_bias_).relu().flatten(1);
  const torch::Tensor hidden = at::addmm(bias_, features, weights_);
  return Drop(hidden, training ? shape_.dropout : 0).relu();
}

}  // namespace slice
