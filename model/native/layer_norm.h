// Layer normalisation of the native network.
#ifndef SLICE_MODEL_NATIVE_LAYER_NORM_H_
#define SLICE_MODEL_NATIVE_LAYER_NORM_H_

#include <cstddef>
#include <string>

#include "model/native/aligned_vector.h"
#include "model/network_weights.h"

namespace slice {

// Immutable after construction; thread-safe.
class LayerNorm {
 public:
  LayerNorm() = default;
  // Reads the parameters `<name>_weight` and `<name>_bias`. Rows are `stride`
  // floats apart.
  LayerNorm(const NetworkWeights& weights, const std::string& name,
            size_t stride);
  // Normalises `rows` rows; `to` may be `from`.
  void Run(const float* from, size_t rows, float* to) const;

 private:
  size_t size_ = 0;
  size_t stride_ = 0;
  AlignedVector<float> gain_, shift_;  // [stride]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_LAYER_NORM_H_
