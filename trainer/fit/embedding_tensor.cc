#include "trainer/fit/embedding_tensor.h"

#include <ATen/ops/from_blob.h>

#include <span>

#include "model/embedding_table.h"

namespace slice {

at::Tensor EmbeddingTensor(const GlobalEmbeddings& embeddings) {
  const auto nodes =
      static_cast<int64_t>(embeddings.values.size()) / embeddings.dim;
  return at::from_blob(const_cast<float*>(embeddings.values.data()),
                       {nodes, embeddings.dim}, at::kFloat);
}

at::Tensor TrainingEmbeddings(const GlobalEmbeddings& embeddings) {
  const at::Tensor table = EmbeddingTensor(embeddings);
  return embeddings.trained_columns > 0 ? table.clone() : table;
}

absl::Status SaveEmbeddings(const at::Tensor& table,
                            const std::filesystem::path& file) {
  const at::Tensor rows = table.contiguous();
  const float* const values = rows.const_data_ptr<float>();
  return EmbeddingTable::Save(
      file, std::span(values, static_cast<size_t>(rows.numel())),
      static_cast<uint64_t>(rows.size(0)), static_cast<int>(rows.size(1)));
}

}  // namespace slice
