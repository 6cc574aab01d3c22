#include "model/native/layer_norm.h"

#include "model/native/native_kernels.h"
#include "model/native/weight_layout.h"

namespace slice {

LayerNorm::LayerNorm(const NetworkWeights& weights, const std::string& name,
                     size_t stride)
    : size_(static_cast<size_t>(weights.Dim(name + "_weight", 0))),
      stride_(stride),
      gain_(PadRows(weights.Get(name + "_weight").values, size_, stride)),
      shift_(PadRows(weights.Get(name + "_bias").values, size_, stride)) {}

void LayerNorm::Run(const float* from, size_t rows, float* to) const {
  NormalizeRows({.from = from,
                 .rows = rows,
                 .size = size_,
                 .stride = stride_,
                 .gain = gain_.data(),
                 .shift = shift_.data(),
                 .to = to});
}

}  // namespace slice
