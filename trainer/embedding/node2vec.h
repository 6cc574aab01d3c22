// Global node embeddings by node2vec (Grover and Leskovec, KDD 2016): biased
// random walks over the visible graph, then skip-gram with negative sampling.
//
//   GraphView view(snapshot);
//   SLICE_ASSIGN_OR_RETURN(std::vector<float> embeddings,
//                          TrainNode2vec(view, options));
#ifndef SLICE_TRAINER_EMBEDDING_NODE2VEC_H_
#define SLICE_TRAINER_EMBEDDING_NODE2VEC_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "graphstore/graph_view.h"

namespace slice {

struct Node2vecOptions {
  int dim = 128;
  int walks_per_node = 10;
  int walk_length = 80;  // nodes of a walk, its start included
  int window = 5;        // each centre draws its own width in [1, window]
  int negatives = 5;     // noise nodes per centre, shared by its window
  double p = 1;          // return parameter
  double q = 1;          // in-out parameter; p = q = 1 walks uniformly
  // Nodes with more than this share of all visits are dropped from walks at
  // random, with the probability that word2vec's program uses (Mikolov et al.,
  // NeurIPS 2013, 2.3); 0 keeps all. The reference implementation of node2vec
  // uses 1e-3.
  double subsample = 0;
  int epochs = 1;                // passes over the nodes; each makes new walks
  double learning_rate = 0.025;  // decays linearly to a ten-thousandth of it
  int threads = 0;               // 0: all hardware threads
  uint64_t seed = 0;
  absl::Duration budget = absl::InfiniteDuration();  // see WalkTrainingOptions

  // INVALID_ARGUMENT naming the field, its value and its bounds.
  absl::Status Validate() const;
};

// The settings that reproduce the figures of the SLiCE paper: from each node 10
// walks of 80 nodes, dimension 128 (section 4.1.3), the subsampling that the
// program of the paper applies by default, and a window of 5 (docs/paper.md).
Node2vecOptions PaperNode2vec();

// What one call of TrainNode2vec() did, for progress and reports.
struct Node2vecSummary {
  uint64_t walks = 0;
  uint64_t pairs = 0;          // (centre, other node in its window)
  double seconds = 0;          // of the whole call
  std::vector<double> losses;  // mean loss per pair, round by round
  bool cut_short = false;      // the budget ended the training early
  size_t isolated_nodes = 0;   // nodes without a visible link
};

// Returns [nodes, dim] float32, row-major. A node without any visible link gets
// a mean vector (FillWithTypeMeans). Reproducible with threads = 1; with more
// threads the walks are the same, but the updates race (Hogwild). Returns the
// errors of Validate().
absl::StatusOr<std::vector<float>> TrainNode2vec(
    const GraphView& view, const Node2vecOptions& options,
    Node2vecSummary* summary = nullptr);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_NODE2VEC_H_
