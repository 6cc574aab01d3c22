// A linear layer whose input ends in the embedding of a relation.
#ifndef SLICE_MODEL_NATIVE_RELATION_LAYER_H_
#define SLICE_MODEL_NATIVE_RELATION_LAYER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "model/native/aligned_vector.h"
#include "model/native/packed_matrix.h"
#include "model/native/strided_rows.h"
#include "model/network_weights.h"

namespace slice {

// The first layer of a perceptron, W [x, e_r] + b. The embedding e_r is folded
// into one bias per relation, so that only x is multiplied at run time.
// Immutable after construction; thread-safe.
class RelationLayer {
 public:
  RelationLayer() = default;
  // Reads the parameters named `weight` [out, in + r], `bias` [out] and
  // `embedding` [relations, r]. The biases are float32 in any format.
  RelationLayer(const NetworkWeights& weights, const std::string& weight,
                const std::string& bias, const std::string& embedding,
                WeightFormat format = WeightFormat::kFloat32);

  size_t in() const { return matrix_.in(); }
  size_t out() const { return matrix_.out(); }
  size_t width() const { return matrix_.width(); }

  // Writes the bias of `relation` to the row `to` [width].
  void Start(int64_t relation, float* to) const;
  // Adds W x to the rows `to` [from.count, width], which Start has written.
  void Add(const InputRows& from, float* to) const {
    matrix_.MultiplyAdd(from, {to, width()});
  }
  // Writes base + W x to the rows `to` [from.count, width]. Only those numbers
  // of x count whose indices are in `columns`; the others are taken to be 0.
  // `base` is [width]. REQUIRES: float32 weights.
  void RunColumns(std::span<const uint32_t> columns, const float* base,
                  const InputRows& from, float* to) const {
    matrix_.MultiplyColumns(columns, base, from, {to, width()});
  }

 private:
  PackedMatrix matrix_;
  AlignedVector<float> biases_;  // [relations, width]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_RELATION_LAYER_H_
