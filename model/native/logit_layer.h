// The last layer of a perceptron that scores.
#ifndef SLICE_MODEL_NATIVE_LOGIT_LAYER_H_
#define SLICE_MODEL_NATIVE_LOGIT_LAYER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/native/aligned_vector.h"
#include "model/native/strided_rows.h"
#include "model/network_weights.h"

namespace slice {

// One logit per question, W x + b. Immutable after construction; thread-safe.
class LogitLayer {
 public:
  LogitLayer() = default;
  // Reads the parameters `<prefix>weight<suffix>` and `<prefix>bias<suffix>`.
  // The input rows are `stride` floats apart, with zeros between the end of a
  // row and the next row.
  LogitLayer(const NetworkWeights& weights, const std::string& prefix,
             const std::string& suffix, size_t stride);

  size_t stride() const { return stride_; }

  // Adds the logits of `rows` input rows to logits[row][0 .. kQuestions).
  void Add(const float* from, size_t rows, const OutputRows& logits) const;

 private:
  size_t stride_ = 0;
  AlignedVector<float> weights_;  // [kQuestions, stride]
  std::vector<float> bias_;       // [kQuestions]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_LOGIT_LAYER_H_
