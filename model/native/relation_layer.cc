#include "model/native/relation_layer.h"

#include <algorithm>
#include <vector>

namespace slice {

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
      .Multiply({weights.Get(embedding).values.data(), dim, relations},
                {biases_.data(), matrix_.width()});
}

void RelationLayer::Start(int64_t relation, float* to) const {
  std::copy_n(biases_.begin() + relation * static_cast<int64_t>(width()),
              width(), to);
}

}  // namespace slice
