// A layer sums the composed messages of each direction, multiplies each sum by
// the matrix of its direction, adds the node's own message, and takes tanh of a
// third of the total plus the bias. The vectors of relations pass through a
// matrix per layer; LabelsBefore() computes them anew, as they are few.
//
// The circular correlation is a product of spectra, so it reuses the kernels of
// products: it transforms the states and the labels once, sums products of real
// and imaginary parts over the arcs, and transforms the sums back.
#include "trainer/methods/messages/compgcn_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/view_as_real.h>

#include "trainer/methods/messages/message_functions.h"

namespace slice {
namespace {

// The spectra of rows, [n, 2, width / 2 + 1]: real parts, then imaginary parts.
at::Tensor Spectra(const at::Tensor& rows) {
  return at::view_as_real(at::fft_rfft(rows)).transpose(1, 2).contiguous();
}

at::Tensor FromSpectra(const at::Tensor& real, const at::Tensor& imaginary,
                       int64_t width) {
  return at::fft_irfft(at::complex(real.contiguous(), imaginary.contiguous()),
                       width);
}

// The spectrum of a circular correlation is conj(h) z. `straight` [n, 2, f]
// holds the products re(h) re(z) and im(h) im(z); `crossed` [n, 2, f] holds
// re(h) im(z) and im(h) re(z).
at::Tensor Correlation(const at::Tensor& straight, const at::Tensor& crossed,
                       int64_t width) {
  return FromSpectra(straight.select(1, 0) + straight.select(1, 1),
                     crossed.select(1, 0) - crossed.select(1, 1), width);
}

}  // namespace

CompGcnEncoder::CompGcnEncoder(const EncoderShape& shape, size_t relations,
                               CompGcnComposition composition)
    : GraphEncoder(shape, {.relations = true, .self_arcs = false}),
      composition_(composition) {
  const int labels = static_cast<int>(2 * relations) + 1;
  // Unit variance: then a product keeps the size of a neighbour's numbers.
  labels_ = AddUniform(labels, shape.input, std::sqrt(3.0));
  for (int i = 0; i < shape.layers; ++i) {
    const int input = shape.InputOf(i), output = shape.OutputOf(i);
    const double bound = std::sqrt(6.0 / (input + output));
    Layer layer;
    layer.of_directions =
        AddUniform(static_cast<int>(kDirections) * input, output, bound);
    layer.self = AddUniform(input, output, bound);
    layer.of_labels = AddUniform(input, output, bound);
    layer.bias = AddBias(output);
    layers_.push_back(layer);
  }
}

at::Tensor CompGcnEncoder::LabelsBefore(int layer) const {
  at::Tensor labels = parameter(labels_);
  for (int i = 0; i < layer; ++i) {
    labels =
        at::mm(labels, parameter(layers_[static_cast<size_t>(i)].of_labels));
  }
  return labels;
}

at::Tensor CompGcnEncoder::LabelVectors(int layer) const {
  const at::Tensor labels = LabelsBefore(layer + 1);
  return labels.narrow(0, 0, labels.size(0) - 1);
}

at::Tensor CompGcnEncoder::Aggregate(const MessageBlock& block,
                                     const at::Tensor& states,
                                     const at::Tensor& labels) const {
  const at::Tensor weights = TensorLike(states, SymmetricWeights(block, false));
  if (composition_ != CompGcnComposition::kCorr) {
    return SumComposedMessages(block,
                               composition_ == CompGcnComposition::kSub
                                   ? Composition::kDifference
                                   : Composition::kProduct,
                               weights, states, labels);
  }
  const at::Tensor of_states = Spectra(states), of_labels = Spectra(labels);
  const auto sum = [&](const at::Tensor& spectra) {
    return SumComposedMessages(block, Composition::kProduct, weights,
                               of_states.flatten(1), spectra.flatten(1))
        .view({-1, 2, of_states.size(2)});
  };
  return Correlation(sum(of_labels), sum(of_labels.flip(1)), states.size(1))
      .view({-1, static_cast<int64_t>(kDirections) * states.size(1)});
}

at::Tensor CompGcnEncoder::Compose(const at::Tensor& states,
                                   const at::Tensor& label) const {
  switch (composition_) {
    case CompGcnComposition::kSub:
      return states - label;
    case CompGcnComposition::kMult:
      return states * label;
    case CompGcnComposition::kCorr:
      break;
  }
  const at::Tensor of_states = Spectra(states), of_label = Spectra(label);
  return Correlation(of_states * of_label, of_states * of_label.flip(1),
                     states.size(1));
}

at::Tensor CompGcnEncoder::RunLayer(int layer, const MessageBlock& block,
                                    const at::Tensor& states,
                                    bool training) const {
  const Layer& own = layers_[static_cast<size_t>(layer)];
  const at::Tensor inputs = Drop(states, training);
  const at::Tensor labels = LabelsBefore(layer);
  const at::Tensor self = Compose(
      inputs.narrow(0, 0, static_cast<int64_t>(block.destination_count)),
      labels.narrow(0, labels.size(0) - 1, 1));
  const at::Tensor output =
      (at::mm(Aggregate(block, inputs, labels), parameter(own.of_directions)) +
       at::mm(self, parameter(own.self))) /
          3 +
      parameter(own.bias);
  return output.tanh();
}

}  // namespace slice
