// The loss of Watch Your Step (Abu-El-Haija et al., NeurIPS 2018) on a sample
// of walks, and its gradient.
//
// The method wants the products of two vectors per node to tell how often walks
// from u visit v, E[D]_uv = sum over k of Q_k (T^k)_uv. T is the matrix of one
// step; Q = softmax(q), the attention to step k, is learnt as well. The paper's
// loss (its equation 9) is
//   sum over u, v of -E[D]_uv log s(L_u . R_v) - n 1[u, v no link]
//                     log(1 - s(L_u . R_v)),   + decay |q|^2
// where s is the logistic function and n weighs non-links. It takes memory for
// all pairs. Here both sums are expectations instead: a walk from u visits v_k
// with probability (T^k)_uv, and non-links are drawn uniformly; a node and
// itself count as linked, other than in the paper. So the memory is that of the
// vectors, and the gradient is right in expectation, for q too.
#ifndef SLICE_TRAINER_METHODS_WALKS_WALK_ATTENTION_H_
#define SLICE_TRAINER_METHODS_WALKS_WALK_ATTENTION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// What is learnt.
struct WalkAttention {
  size_t dim = 0;
  std::vector<float> left, right;  // L and R, [nodes, dim]
  std::vector<float> step_logits;  // q, [steps]

  // Q = softmax(q).
  std::vector<double> StepShares() const;
};

// A sample: from each start one walk, and non-links.
struct WalkSample {
  size_t steps = 0;             // of a walk
  size_t noise = 0;             // drawn nodes of a start
  std::vector<NodeId> starts;   // [starts], each once
  std::vector<NodeId> visited;  // [starts, steps]
  // [starts, noise]; kNoNode in the place of a node that a link joins to the
  // start.
  std::vector<NodeId> drawn;
};

struct WalkLossOptions {
  double non_links = 1;  // the weight of all non-links of a start together
  double decay = 0;      // of q
  int threads = 1;
};

// Of the mean loss over the starts, by the rows that the sample uses.
struct WalkGradients {
  double loss = 0;
  std::vector<float> left;         // [starts, dim]
  std::vector<uint32_t> rows;      // of R, distinct
  std::vector<float> right;        // [rows, dim]
  std::vector<float> step_logits;  // [steps]
};

// Equal for any number of threads.
WalkGradients Differentiate(const WalkAttention& model,
                            const WalkSample& sample,
                            const WalkLossOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WALK_ATTENTION_H_
