// The loss of asp2vec (Park et al., KDD 2020) on a batch of windows of walks,
// and its gradient.
//
// A node i has a centre vector P_i and an aspect vector Q_i^s for each aspect
// s. A window is a centre i with its context nodes N. Which aspect of the
// context nodes it reads depends on the window (equations 7 and 9 of the
// paper):
//   share_s = softmax over s of
//             (<P_i, mean over j in N of Q_j^s> + gumbel_s) / temperature
// where gumbel_s is drawn from Gumbel(0, 1). The loss of the window is that of
// skip-gram, weighted by these shares; s() is the logistic function:
//   - sum over s of share_s [ sum over j in N of log s(<P_i, Q_j^s>)
//                           + sum over noise n of log s(-<P_i, Q_n^s>) ]
// The regulariser keeps the aspects of a node apart (equations 13 and 15):
//   weight * sum over nodes i and s < t of |cos(Q_i^s, Q_i^t)|
// Only absolute cosines of `threshold` or more count. The sum is over the nodes
// whose aspects the batch uses. The paper takes all nodes, which would cost
// more than the windows of a step.
#ifndef SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_SKIP_GRAM_H_
#define SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_SKIP_GRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphstore/types.h"
#include "trainer/methods/walks/walk_windows.h"

namespace slice {

// What is learnt.
struct AspectModel {
  size_t dim = 0;
  size_t aspects = 0;
  std::vector<float> centres;  // P, [nodes, dim]
  std::vector<float> values;   // Q, [nodes, aspects, dim]

  size_t node_count() const { return centres.size() / dim; }
  // The mean of the aspect vectors of each node, [nodes, dim].
  std::vector<float> MeanAspects() const;
};

// Windows, whose centres are nodes. Those of one centre may occur repeatedly.
struct AspectBatch : WalkWindows {
  std::vector<float> gumbel;  // [windows, aspects]
};

struct AspectLossOptions {
  double temperature = 0.5;
  double diversity_weight = 0.01;
  double diversity_threshold = 0.9;
  int threads = 1;
};

// Of the sum over the windows and the regulariser, by the rows in use.
struct AspectGradients {
  double loss = 0;                    // of the windows
  double diversity = 0;               // the regulariser
  uint64_t contexts = 0;              // of all windows
  std::vector<uint32_t> centre_rows;  // of P, distinct
  std::vector<float> centres;         // [centre_rows, dim]
  std::vector<uint32_t> value_rows;   // nodes whose aspects are used, distinct
  std::vector<float> values;          // [value_rows, aspects, dim]
};

// Equal for any number of threads. REQUIRES: the batch has a window.
AspectGradients DifferentiateAspects(const AspectModel& model,
                                     const AspectBatch& batch,
                                     const AspectLossOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_SKIP_GRAM_H_
