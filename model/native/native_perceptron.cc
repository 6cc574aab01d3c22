#include "model/native/native_perceptron.h"

#include <algorithm>

#include "model/native/native_kernels.h"
#include "model/prediction.h"

namespace slice {

AlignedVector<float> PadRows(const std::vector<float>& values, size_t size,
                             size_t stride) {
  const size_t rows = size == 0 ? 0 : values.size() / size;
  AlignedVector<float> padded(rows * stride, 0.0f);
  for (size_t row = 0; row < rows; ++row) {
    std::copy_n(values.begin() + row * size, size,
                padded.begin() + row * stride);
  }
  return padded;
}

PackedMatrix PackLinear(const NetworkWeights& weights,
                        const std::string& prefix, const std::string& suffix,
                        WeightFormat format) {
  const std::string weight = prefix + "weight" + suffix;
  return PackedMatrix(weights.Get(weight).values,
                      weights.Get(prefix + "bias" + suffix).values,
                      static_cast<size_t>(weights.Dim(weight, 0)),
                      static_cast<size_t>(weights.Dim(weight, 1)), format);
}

RelationLayer::RelationLayer(const NetworkWeights& weights,
                             const std::string& weight, const std::string& bias,
                             const std::string& embedding,
                             WeightFormat format) {
  const auto out = static_cast<size_t>(weights.Dim(weight, 0));
  const auto columns = static_cast<size_t>(weights.Dim(weight, 1));
  const auto relations = static_cast<size_t>(weights.Dim(embedding, 0));
  const auto dim = static_cast<size_t>(weights.Dim(embedding, 1));
  const size_t in = columns - dim;
  const std::vector<float>& all = weights.Get(weight).values;
  std::vector<float> of_input, of_relation;
  for (size_t i = 0; i < out; ++i) {
    const auto row = all.begin() + static_cast<ptrdiff_t>(i * columns);
    of_input.insert(of_input.end(), row, row + static_cast<ptrdiff_t>(in));
    of_relation.insert(of_relation.end(), row + static_cast<ptrdiff_t>(in),
                       row + static_cast<ptrdiff_t>(columns));
  }
  matrix_ = PackedMatrix(of_input, {}, out, in, format);
  biases_.resize(relations * matrix_.width());
  PackedMatrix(of_relation, weights.Get(bias).values, out, dim)
      .Multiply(weights.Get(embedding).values.data(), dim, relations,
                biases_.data(), matrix_.width());
}

void RelationLayer::Start(int64_t relation, float* to) const {
  std::copy_n(biases_.begin() + relation * static_cast<int64_t>(width()),
              width(), to);
}

LogitLayer::LogitLayer(const NetworkWeights& weights, const std::string& prefix,
                       const std::string& suffix, size_t stride)
    : stride_(stride),
      weights_(PadRows(
          weights.Get(prefix + "weight" + suffix).values,
          static_cast<size_t>(weights.Dim(prefix + "weight" + suffix, 1)),
          stride)),
      bias_(weights.Get(prefix + "bias" + suffix).values) {}

void LogitLayer::Add(const float* from, size_t rows, float* logits,
                     size_t logit_stride) const {
  static_assert(kQuestions == 2);
  AddTwoDots(from, rows, stride_, weights_.data(), bias_.data(), logits,
             logit_stride);
}

}  // namespace slice
