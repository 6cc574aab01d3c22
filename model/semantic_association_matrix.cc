#include "model/semantic_association_matrix.h"

namespace slice {
namespace {

// (mean over the heads of the layer + identity) / 2: [tokens, tokens]. The
// identity stands for the residual connection.
std::vector<float> LayerWithResidual(const SemanticAssociationMatrix& matrix,
                                     int layer) {
  const int n = matrix.tokens;
  std::vector<float> mean(static_cast<size_t>(n) * n, 0.0f);
  for (int head = 0; head < matrix.heads; ++head) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        mean[i * n + j] += 0.5f / matrix.heads * matrix.at(layer, head, i, j);
      }
    }
  }
  for (int i = 0; i < n; ++i) mean[i * n + i] += 0.5f;
  return mean;
}

// The product of two matrices [n, n].
std::vector<float> Multiply(const std::vector<float>& a,
                            const std::vector<float>& b, int n) {
  std::vector<float> product(static_cast<size_t>(n) * n, 0.0f);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) {
        product[i * n + j] += a[i * n + k] * b[k * n + j];
      }
    }
  }
  return product;
}

}  // namespace

std::vector<float> SemanticAssociationMatrix::Rollout() const {
  std::vector<float> rollout(static_cast<size_t>(tokens) * tokens, 0.0f);
  for (int i = 0; i < tokens; ++i) rollout[i * tokens + i] = 1.0f;
  for (int layer = 0; layer < layers; ++layer) {
    rollout = Multiply(LayerWithResidual(*this, layer), rollout, tokens);
  }
  return rollout;
}

}  // namespace slice
