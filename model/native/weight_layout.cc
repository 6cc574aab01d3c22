#include "model/native/weight_layout.h"

#include <algorithm>

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

}  // namespace slice
