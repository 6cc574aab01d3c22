// A pair is a start with a node that its walk visited, or with a drawn one. The
// loss needs one number of each pair: the derivative of the loss by the pair's
// product. With these numbers the gradient of L sums rows of R, start by start,
// and the gradient of R sums rows of L, row by row. Both run in parallel
// without two threads that write to one row.
#include "trainer/methods/walks/walk_attention.h"

#include <algorithm>
#include <cmath>

#include "common/parallel.h"
#include "common/row_products.h"
#include "trainer/methods/walks/entries_by_row.h"
#include "trainer/methods/walks/row_sums.h"
#include "trainer/methods/walks/take_softmax.h"
#include "trainer/metrics.h"
#include "trainer/softplus.h"

namespace slice {
namespace {

constexpr size_t kStartsAtOnce = 64;
constexpr size_t kRowsAtOnce = 64;

// The pairs of one start: the visited nodes, then the drawn ones.
struct PairTable {
  PairTable(const WalkSample& sample)
      : of_start(sample.steps + sample.noise),
        nodes(sample.starts.size() * of_start),
        slopes(nodes.size()),
        step_losses(sample.starts.size() * sample.steps),
        noise_losses(sample.starts.size()) {
    for (size_t i = 0; i < sample.starts.size(); ++i) {
      auto to = nodes.begin() + static_cast<int64_t>(i * of_start);
      to = std::copy_n(
          sample.visited.begin() + static_cast<int64_t>(i * sample.steps),
          sample.steps, to);
      std::copy_n(sample.drawn.begin() + static_cast<int64_t>(i * sample.noise),
                  sample.noise, to);
    }
  }

  const size_t of_start;
  std::vector<NodeId> nodes;         // [starts, of_start], kNoNode: no pair
  std::vector<float> slopes;         // the same; loss by product, over starts
  std::vector<double> step_losses;   // [starts, steps]
  std::vector<double> noise_losses;  // [starts]
};

class Differentiation {
 public:
  Differentiation(const WalkAttention& model, const WalkSample& sample,
                  const WalkLossOptions& options)
      : model_(model),
        sample_(sample),
        options_(options),
        shares_(model.StepShares()),
        pairs_(sample) {}

  WalkGradients Run() {
    WalkGradients gradients;
    gradients.left.resize(sample_.starts.size() * model_.dim);
    ParallelFor(sample_.starts.size(), kStartsAtOnce, options_.threads,
                [&](size_t begin, size_t end, int) {
                  for (size_t i = begin; i < end; ++i) {
                    WeighPairs(i);
                    SumRight(i, &gradients.left[i * model_.dim]);
                  }
                });
    SumLeft(gradients);
    SumSteps(gradients);
    return gradients;
  }

 private:
  double PerStart() const {
    return 1 / static_cast<double>(sample_.starts.size());
  }

  // The products of the pairs of a start become losses and slopes.
  void WeighPairs(size_t start) {
    NodeId* const nodes = &pairs_.nodes[start * pairs_.of_start];
    float* const slopes = &pairs_.slopes[start * pairs_.of_start];
    // What is no pair is multiplied as well, and weighs nothing.
    std::vector<uint32_t> rows(nodes, nodes + pairs_.of_start);
    std::replace(rows.begin(), rows.end(), kNoNode, NodeId{0});
    MultiplyRows({&model_.left[sample_.starts[start] * model_.dim],
                  model_.right.data(), model_.dim, rows.data(), rows.size(),
                  slopes});
    for (size_t k = 0; k < sample_.steps; ++k) {
      const double product = slopes[k];
      pairs_.step_losses[start * sample_.steps + k] = Softplus(-product);
      slopes[k] =
          static_cast<float>(-PerStart() * shares_[k] * Sigmoid(-product));
    }
    const double weight =
        sample_.noise == 0
            ? 0
            : options_.non_links / static_cast<double>(sample_.noise);
    for (size_t i = sample_.steps; i < pairs_.of_start; ++i) {
      const double product = slopes[i];
      slopes[i] = 0;
      if (nodes[i] == kNoNode) continue;
      pairs_.noise_losses[start] += weight * Softplus(product);
      slopes[i] = static_cast<float>(PerStart() * weight * Sigmoid(product));
    }
  }

  void SumRight(size_t start, float* to) const {
    const size_t first = start * pairs_.of_start;
    for (size_t i = first; i < first + pairs_.of_start; ++i) {
      if (pairs_.nodes[i] == kNoNode) continue;
      AddRows({&pairs_.slopes[i], &pairs_.nodes[i], 1, model_.right.data(),
               model_.dim, to});
    }
  }

  void SumLeft(WalkGradients& gradients) const {
    EntriesByRow by_node(pairs_.nodes, model_.right.size() / model_.dim);
    gradients.rows = std::move(by_node.rows);
    gradients.right.resize(gradients.rows.size() * model_.dim);
    ParallelFor(gradients.rows.size(), kRowsAtOnce, options_.threads,
                [&](size_t begin, size_t end, int) {
                  for (size_t row = begin; row < end; ++row) {
                    float* const to = &gradients.right[row * model_.dim];
                    for (const uint32_t pair : by_node.Of(row)) {
                      AddRows({&pairs_.slopes[pair],
                               &sample_.starts[pair / pairs_.of_start], 1,
                               model_.left.data(), model_.dim, to});
                    }
                  }
                });
  }

  // The loss, and its derivative by q:
  //   d loss / d q_j = Q_j (loss_j - sum over k of Q_k loss_k) + 2 decay q_j
  void SumSteps(WalkGradients& gradients) const {
    std::vector<double> losses(sample_.steps);
    for (size_t i = 0; i < pairs_.step_losses.size(); ++i) {
      losses[i % sample_.steps] += PerStart() * pairs_.step_losses[i];
    }
    double visits = 0;
    for (size_t k = 0; k < losses.size(); ++k) visits += shares_[k] * losses[k];
    gradients.loss = visits;
    for (const double loss : pairs_.noise_losses) {
      gradients.loss += PerStart() * loss;
    }
    for (size_t k = 0; k < losses.size(); ++k) {
      const double logit = model_.step_logits[k];
      gradients.loss += options_.decay * logit * logit;
      gradients.step_logits.push_back(static_cast<float>(
          shares_[k] * (losses[k] - visits) + 2 * options_.decay * logit));
    }
  }

  const WalkAttention& model_;
  const WalkSample& sample_;
  const WalkLossOptions& options_;
  const std::vector<double> shares_;
  PairTable pairs_;
};

}  // namespace

std::vector<double> WalkAttention::StepShares() const {
  std::vector<double> shares(step_logits.begin(), step_logits.end());
  TakeSoftmax(shares);
  return shares;
}

WalkGradients Differentiate(const WalkAttention& model,
                            const WalkSample& sample,
                            const WalkLossOptions& options) {
  return Differentiation(model, sample, options).Run();
}

}  // namespace slice
