#include "model/native/logit_layer.h"

#include "model/native/native_kernels.h"
#include "model/native/weight_layout.h"
#include "model/prediction.h"

namespace slice {

LogitLayer::LogitLayer(const NetworkWeights& weights, const std::string& prefix,
                       const std::string& suffix, size_t stride)
    : stride_(stride),
      weights_(PadRows(
          weights.Get(prefix + "weight" + suffix).values,
          static_cast<size_t>(weights.Dim(prefix + "weight" + suffix, 1)),
          stride)),
      bias_(weights.Get(prefix + "bias" + suffix).values) {}

void LogitLayer::Add(const float* from, size_t rows,
                     const OutputRows& logits) const {
  static_assert(kQuestions == 2);
  AddTwoDots({.from = {from, stride_, rows},
              .weights = weights_.data(),
              .bias = bias_.data(),
              .to = logits});
}

}  // namespace slice
