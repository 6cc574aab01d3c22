#include "context/node_embeddings.h"

#include <algorithm>
#include <cmath>

namespace slice {

double CosineSimilarity(std::span<const float> a, std::span<const float> b) {
  float product = 0, of_a = 0, of_b = 0;
  for (size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    product += a[k] * b[k];
    of_a += a[k] * a[k];
    of_b += b[k] * b[k];
  }
  const double norms = std::sqrt(static_cast<double>(of_a) * of_b);
  return norms > 0 ? product / norms : 0;
}

}  // namespace slice
