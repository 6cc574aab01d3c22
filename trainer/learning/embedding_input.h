// The global embeddings as a network in training reads them: either all columns
// are constant, or the first columns are trained together with the network.
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
  // Copies the first `trained_columns` columns of `table` [nodes, dim] into a
  // parameter. The other columns (attributes of nodes) are read where they are.
  EmbeddingInput(at::Tensor table, int64_t trained_columns);

  bool is_trained() const { return parameter_.defined(); }
  // The parameter [nodes, trained columns], a leaf of the autograd graph.
  // REQUIRES: is_trained().
  const at::Tensor& parameter() const { return parameter_; }

  // The embeddings [nodes, dim]. Their gradient flows back to the parameter.
  at::Tensor Table() const;

  // Writes the trained columns back into the table that the constructor was
  // given.
  void StoreTrained();

 private:
  at::Tensor table_;
  at::Tensor parameter_;  // undefined when nothing is trained
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_EMBEDDING_INPUT_H_
