// Lays out the weights of a network for the native kernels.
#ifndef SLICE_MODEL_NATIVE_WEIGHT_LAYOUT_H_
#define SLICE_MODEL_NATIVE_WEIGHT_LAYOUT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/native/aligned_vector.h"
#include "model/native/packed_matrix.h"
#include "model/network_weights.h"

namespace slice {

// `values` [rows, size] as [rows, stride], with zeros behind each row.
AlignedVector<float> PadRows(const std::vector<float>& values, size_t size,
                             size_t stride);

// The matrix of a linear layer: the weight `<prefix>weight<suffix>` and, if it
// exists, the bias `<prefix>bias<suffix>`.
PackedMatrix PackLinear(const NetworkWeights& weights,
                        const std::string& prefix, const std::string& suffix,
                        WeightFormat format = WeightFormat::kFloat32);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_WEIGHT_LAYOUT_H_
