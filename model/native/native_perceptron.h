// The perceptrons of the network whose input ends in a relation embedding.
#ifndef SLICE_MODEL_NATIVE_NATIVE_PERCEPTRON_H_
#define SLICE_MODEL_NATIVE_NATIVE_PERCEPTRON_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/native/aligned_vector.h"
#include "model/native/packed_matrix.h"
#include "model/network_weights.h"

namespace slice {

// `values` [rows, size] with rows `stride` floats apart, zeros between.
AlignedVector<float> PadRows(const std::vector<float>& values, size_t size,
                             size_t stride);

// x W^T + b of `<prefix>weight<suffix>` and, where there is one,
// `<prefix>bias<suffix>`.
PackedMatrix PackLinear(const NetworkWeights& weights,
                        const std::string& prefix, const std::string& suffix,
                        WeightFormat format = WeightFormat::kFloat32);

// The first layer W [x, e_r] + b, e_r folded into a bias per relation.
// Constant once made; thread-safe.
class RelationLayer {
 public:
  RelationLayer() = default;
  // Of `weight` [out, in + r], `bias` [out] and `embedding` [relations, r], by
  // name. The part of the relations is float32 in any format.
  RelationLayer(const NetworkWeights& weights, const std::string& weight,
                const std::string& bias, const std::string& embedding,
                WeightFormat format = WeightFormat::kFloat32);

  size_t in() const { return matrix_.in(); }
  size_t out() const { return matrix_.out(); }
  size_t width() const { return matrix_.width(); }

  // Starts row `to` [width] as the bias of `relation`.
  void Start(int64_t relation, float* to) const;
  // Adds W x to `rows` started rows [rows, width].
  void Add(const float* from, size_t from_stride, size_t rows,
           float* to) const {
    matrix_.MultiplyAdd(from, from_stride, rows, to, width());
  }
  // Writes rows [rows, width] that are `base` [width] and W x as if x were 0
  // but in `columns`. float32 only.
  void RunColumns(std::span<const uint32_t> columns, const float* base,
                  const float* from, size_t from_stride, size_t rows,
                  float* to) const {
    matrix_.MultiplyColumns(columns, base, from, from_stride, rows, to,
                            width());
  }

 private:
  PackedMatrix matrix_;
  AlignedVector<float> biases_;  // [relations, width]
};

// The last layer of a perceptron: a logit per question, W x + b. Constant once
// made; thread-safe.
class LogitLayer {
 public:
  LogitLayer() = default;
  // Of `<prefix>weight<suffix>` and `<prefix>bias<suffix>`, for rows `stride`
  // floats apart, zeros behind.
  LogitLayer(const NetworkWeights& weights, const std::string& prefix,
             const std::string& suffix, size_t stride);

  // Adds the logits of `rows` rows to those at every `logit_stride` floats.
  void Add(const float* from, size_t rows, float* logits,
           size_t logit_stride) const;

 private:
  size_t stride_ = 0;
  AlignedVector<float> weights_;  // [kQuestions, stride]
  std::vector<float> bias_;       // [kQuestions]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_PERCEPTRON_H_
