#include "model/native/end_cosines.h"

#include <cmath>

namespace slice {
namespace {

constexpr size_t kEnds = 2;
constexpr float kLeastSquare = 1e-12f;  // as in the definition of the network

float Dot(const float* a, const float* b, size_t dim) {
  float sum = 0;
  for (size_t i = 0; i < dim; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void EndCosines(const InputRows& rows, size_t dim, float* to) {
  for (size_t row = 0; row < rows.count; ++row) {
    const float* const token = rows.first + row * rows.stride;
    const float square = Dot(token, token, dim) + kLeastSquare;
    for (size_t i = 0; i < kEnds; ++i) {
      const float* const end = rows.first + i * rows.stride;
      *to++ = Dot(token, end, dim) /
              std::sqrt(square * (Dot(end, end, dim) + kLeastSquare));
    }
  }
}

}  // namespace slice
