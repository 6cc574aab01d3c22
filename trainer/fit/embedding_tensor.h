// Global embeddings as a tensor of LibTorch.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_FIT_EMBEDDING_TENSOR_H_
#define SLICE_TRAINER_FIT_EMBEDDING_TENSOR_H_

#include <ATen/core/Tensor.h>

#include <filesystem>

#include "absl/status/status.h"
#include "trainer/fit/embedding_step.h"

namespace slice {

// [nodes, dim] float32: a view of `embeddings`, which must outlive it. Nothing
// may write to it.
at::Tensor EmbeddingTensor(const GlobalEmbeddings& embeddings);

// The same tensor for a step that trains a network. It is a copy, which the
// step may write to, when embeddings.trained_columns > 0.
at::Tensor TrainingEmbeddings(const GlobalEmbeddings& embeddings);

// Saves a table that a step has trained.
absl::Status SaveEmbeddings(const at::Tensor& table,
                            const std::filesystem::path& file);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_EMBEDDING_TENSOR_H_
