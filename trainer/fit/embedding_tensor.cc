#include "trainer/fit/embedding_tensor.h"

#include <ATen/ops/from_blob.h>

namespace slice {

at::Tensor EmbeddingTensor(const GlobalEmbeddings& embeddings) {
  const auto nodes =
      static_cast<int64_t>(embeddings.values.size()) / embeddings.dim;
  return at::from_blob(const_cast<float*>(embeddings.values.data()),
                       {nodes, embeddings.dim}, at::kFloat);
}

}  // namespace slice
