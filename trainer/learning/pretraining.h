// Self-supervised pre-training by masked-node prediction on random-walk
// contexts (algorithm 1 and equation 4 of the paper).
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_LEARNING_PRETRAINING_H_
#define SLICE_TRAINER_LEARNING_PRETRAINING_H_

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "context/context_generator.h"
#include "graphstore/graph_view.h"
#include "trainer/learning/training_summary.h"

namespace slice {

struct PretrainingOptions {
  int epochs = 3;
  int contexts_per_node = 1;
  NodeWalk walk = NodeWalk::kChain;
  int batch_size = 256;
  double learning_rate = 1e-3;
  // In a graph with more nodes than this, the softmax runs over the true node
  // and `samples` nodes, which are drawn uniformly once for each batch.
  size_t full_softmax_nodes = 20000;
  int samples = 2048;
  // How many of the first columns of the embeddings are trained together with
  // the network.
  int64_t trained_columns = 0;
  int threads = 1;
  uint64_t seed = 0;
};

// Trains `network` in place, and with it the trained columns of `embeddings`
// [nodes, dim]. One node of each context is replaced by the mask token. The
// network's encode() gives a contextual embedding of that token. A linear
// projection of this embedding must pick the global embedding of the replaced
// node among those of all nodes. Contexts are cut from `view`.
// FAILED_PRECONDITION when no node has a visible neighbour.
absl::StatusOr<TrainingSummary> PretrainNetwork(
    torch::jit::Module& network, const GraphView& view,
    const ContextGenerator& generator, const at::Tensor& embeddings,
    const PretrainingOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_PRETRAINING_H_
