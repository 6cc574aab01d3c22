// The global embeddings as a network in training reads them: constant, or with
// first columns that are trained together with the network.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_LEARNING_EMBEDDING_INPUT_H_
#define SLICE_TRAINER_LEARNING_EMBEDDING_INPUT_H_

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace slice {

// Thread-compatible.
class EmbeddingInput {
 public:
  // Of `table` [nodes, dim] the first `trained_columns` are copied into a
  // parameter. The other columns (attributes of nodes) are read where they are.
  EmbeddingInput(at::Tensor table, int64_t trained_columns);

  bool is_trained() const { return parameter_.defined(); }
  // [nodes, trained columns], a leaf. REQUIRES: is_trained().
  const at::Tensor& parameter() const { return parameter_; }

  // [nodes, dim]; a gradient flows from it to the parameter.
  at::Tensor Table() const;

  // Writes the trained columns back into the table that was given.
  void StoreTrained();

 private:
  at::Tensor table_;
  at::Tensor parameter_;  // undefined when nothing is trained
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_EMBEDDING_INPUT_H_
