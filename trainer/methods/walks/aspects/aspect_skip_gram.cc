// Three passes make the gradient:
//   1. window by window: the products <P_i, Q_j^s> of its nodes become the loss
//      and slopes, which are the derivatives of the loss by the products. The
//      window's gradient of P_i follows while the rows of Q are in the cache;
//   2. centre by centre: the gradients of the windows of a centre are summed;
//   3. node by node: slopes times P_i are summed over the windows that use the
//      node, and the regulariser of the node is added.
// In each pass one thread owns a row that is written, and sums in the order of
// the batch. So the number of threads changes nothing.
//
// The logit of an aspect is a mean of products as well: by linearity,
// <P_i, mean of Q_j> is the mean of <P_i, Q_j>.
#include "trainer/methods/walks/aspects/aspect_skip_gram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/parallel.h"
#include "common/row_products.h"
#include "trainer/methods/walks/entries_by_row.h"
#include "trainer/methods/walks/row_sums.h"
#include "trainer/methods/walks/take_softmax.h"

namespace slice {
namespace {

constexpr size_t kWindowsAtOnce = 64;
constexpr size_t kRowsAtOnce = 64;

// Sums log(1 + exp(x)) with a logarithm for many terms instead of one for each.
class SoftplusSum {
 public:
  // Adds a term and returns its derivative, the logistic function of x.
  double Add(double x) {
    const double small = std::exp(-std::abs(x));
    whole_ += std::max(x, 0.0);
    factor_ *= 1 + small;
    if (factor_ > 1e200) {
      whole_ += std::log(factor_);
      factor_ = 1;
    }
    return (x > 0 ? 1 : small) / (1 + small);
  }

  double Value() const { return whole_ + std::log(factor_); }

 private:
  double whole_ = 0;
  double factor_ = 1;  // the product of 1 + exp(-|x|)
};

// The products of the aspects of a node with each other.
class AspectProducts {
 public:
  AspectProducts(const AspectModel& model, NodeId node)
      : aspects_(model.aspects), products_(aspects_ * aspects_) {
    std::vector<uint32_t> rows(aspects_);
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(node * aspects_));
    for (size_t s = 0; s < aspects_; ++s) {
      // Those of s with itself and with the aspects after it.
      MultiplyRows({&model.values[rows[s] * model.dim], model.values.data(),
                    model.dim, &rows[s], aspects_ - s,
                    &products_[s * aspects_ + s]});
    }
  }

  double Square(size_t s) const { return Product(s, s); }
  // REQUIRES: s <= t.
  double Product(size_t s, size_t t) const {
    return products_[s * aspects_ + t];
  }
  // 0 when one of the two is zero and has no direction. REQUIRES: s <= t.
  double Cosine(size_t s, size_t t) const {
    const double squares = Square(s) * Square(t);
    return squares > 0 ? Product(s, t) / std::sqrt(squares) : 0;
  }

 private:
  const size_t aspects_;
  std::vector<float> products_;  // [aspects, aspects], the upper half
};

class AspectDifferentiation {
 public:
  AspectDifferentiation(const AspectModel& model, const AspectBatch& batch,
                        const AspectLossOptions& options)
      : model_(model),
        batch_(batch),
        options_(options),
        slopes_(batch.nodes.size() * model.aspects),
        losses_(batch.windows()),
        window_gradients_(batch.windows() * model.dim),
        window_of_(batch.WindowOfNodes()) {}

  AspectGradients Run() {
    ParallelFor(batch_.windows(), kWindowsAtOnce, options_.threads,
                [&](size_t begin, size_t end, int) {
                  for (size_t window = begin; window < end; ++window) {
                    WeighWindow(window);
                  }
                });
    AspectGradients gradients;
    gradients.loss = std::accumulate(losses_.begin(), losses_.end(), 0.0);
    gradients.contexts = batch_.Contexts();
    SumCentres(gradients);
    SumValues(gradients);
    return gradients;
  }

 private:
  // The products of a window become its loss, the slopes of its nodes and the
  // gradient of its centre.
  void WeighWindow(size_t window) {
    const size_t aspects = model_.aspects, dim = model_.dim;
    const std::span<const NodeId> nodes = batch_.NodesOf(window);
    float* const slopes = &slopes_[batch_.begins[window] * aspects];
    std::vector<uint32_t> rows;
    rows.reserve(nodes.size() * aspects);
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t s = 0; s < aspects; ++s) {
        rows.push_back(static_cast<uint32_t>(nodes[i] * aspects + s));
      }
    }
    MultiplyRows({&model_.centres[batch_.centres[window] * dim],
                  model_.values.data(), dim, rows.data(), rows.size(), slopes});
    ShapeSlopes(window, slopes);
    float* const gradient = &window_gradients_[window * dim];
    for (size_t i = 0; i < nodes.size(); ++i) {
      AddRows({slopes + i * aspects, nullptr, aspects,
               &model_.values[nodes[i] * aspects * dim], dim, gradient});
    }
  }

  // The shares of the aspects in a window, from its products.
  std::vector<double> SharesOf(size_t window, const float* products) const {
    const size_t aspects = model_.aspects;
    const size_t contexts = batch_.context_counts[window];
    std::vector<double> shares(aspects);
    for (size_t i = 0; i < contexts; ++i) {
      for (size_t s = 0; s < aspects; ++s) {
        shares[s] += products[i * aspects + s];
      }
    }
    for (size_t s = 0; s < aspects; ++s) {
      shares[s] = (shares[s] / static_cast<double>(contexts) +
                   batch_.gumbel[window * aspects + s]) /
                  options_.temperature;
    }
    TakeSoftmax(shares);
    return shares;
  }

  // Products become slopes. With L_s for the loss of aspect s alone,
  //   d loss / d logit_s = share_s / temperature * (L_s - sum of share_t L_t)
  // and the logit is the mean over the products of the context nodes.
  void ShapeSlopes(size_t window, float* slopes) {
    const size_t aspects = model_.aspects;
    const size_t contexts = batch_.context_counts[window];
    const size_t nodes = batch_.NodesOf(window).size();
    const std::vector<double> shares = SharesOf(window, slopes);
    std::vector<double> losses(aspects);
    double loss = 0;
    for (size_t s = 0; s < aspects; ++s) {
      SoftplusSum sum;
      for (size_t i = 0; i < nodes; ++i) {
        float& slope = slopes[i * aspects + s];
        const double derivative =
            i < contexts ? -sum.Add(-slope) : sum.Add(slope);
        slope = static_cast<float>(shares[s] * derivative);
      }
      losses[s] = sum.Value();
      loss += shares[s] * losses[s];
    }
    for (size_t s = 0; s < aspects; ++s) {
      const double of_logit =
          shares[s] / options_.temperature * (losses[s] - loss);
      for (size_t i = 0; i < contexts; ++i) {
        slopes[i * aspects + s] +=
            static_cast<float>(of_logit / static_cast<double>(contexts));
      }
    }
    losses_[window] = loss;
  }

  void SumCentres(AspectGradients& gradients) const {
    const size_t dim = model_.dim;
    EntriesByRow by_centre(batch_.centres, model_.node_count());
    gradients.centres.resize(by_centre.rows.size() * dim);
    ParallelFor(by_centre.rows.size(), kRowsAtOnce, options_.threads,
                [&](size_t begin, size_t end, int) {
                  constexpr float kOne = 1;
                  for (size_t row = begin; row < end; ++row) {
                    for (const uint32_t window : by_centre.Of(row)) {
                      AddRows({&kOne, &window, 1, window_gradients_.data(), dim,
                               &gradients.centres[row * dim]});
                    }
                  }
                });
    gradients.centre_rows = std::move(by_centre.rows);
  }

  void SumValues(AspectGradients& gradients) const {
    const size_t aspects = model_.aspects, dim = model_.dim;
    EntriesByRow by_node(batch_.nodes, model_.node_count());
    gradients.values.resize(by_node.rows.size() * aspects * dim);
    std::vector<double> diversities(by_node.rows.size());
    ParallelFor(by_node.rows.size(), kRowsAtOnce, options_.threads,
                [&](size_t begin, size_t end, int) {
                  for (size_t row = begin; row < end; ++row) {
                    float* const to = &gradients.values[row * aspects * dim];
                    for (const uint32_t entry : by_node.Of(row)) {
                      const NodeId centre = batch_.centres[window_of_[entry]];
                      AddOuterProduct({&slopes_[entry * aspects], aspects,
                                       &model_.centres[centre * dim], dim, to});
                    }
                    diversities[row] = Diversify(by_node.rows[row], to);
                  }
                });
    gradients.diversity =
        options_.diversity_weight *
        std::accumulate(diversities.begin(), diversities.end(), 0.0);
    gradients.value_rows = std::move(by_node.rows);
  }

  // Adds the gradient of a node's regulariser; returns it without its weight.
  // For a = Q^s and b = Q^t, each pair of aspects adds
  //   d cos / d a = b / (|a| |b|) - cos a / |a|^2
  // to the gradient of a, and likewise to that of b. So each row of the
  // gradient is a sum of the rows of Q, whose factors are collected first.
  double Diversify(NodeId node, float* gradient) const {
    const size_t aspects = model_.aspects, dim = model_.dim;
    if (options_.diversity_weight == 0) return 0;
    const AspectProducts products(model_, node);
    std::vector<float> factors(aspects * aspects);
    double sum = 0;
    for (size_t s = 0; s < aspects; ++s) {
      for (size_t t = s + 1; t < aspects; ++t) {
        const double cosine = products.Cosine(s, t);
        if (cosine == 0 || std::abs(cosine) < options_.diversity_threshold) {
          continue;
        }
        sum += std::abs(cosine);
        const double slope = std::copysign(options_.diversity_weight, cosine);
        const auto across =
            static_cast<float>(slope * cosine / products.Product(s, t));
        factors[s * aspects + t] += across;
        factors[t * aspects + s] += across;
        factors[s * aspects + s] -=
            static_cast<float>(slope * cosine / products.Square(s));
        factors[t * aspects + t] -=
            static_cast<float>(slope * cosine / products.Square(t));
      }
    }
    if (sum == 0) return 0;
    for (size_t s = 0; s < aspects; ++s) {
      AddRows({&factors[s * aspects], nullptr, aspects,
               &model_.values[node * aspects * dim], dim, gradient + s * dim});
    }
    return sum;
  }

  const AspectModel& model_;
  const AspectBatch& batch_;
  const AspectLossOptions& options_;
  std::vector<float> slopes_;              // [nodes of the batch, aspects]
  std::vector<double> losses_;             // [windows]
  std::vector<float> window_gradients_;    // of P, [windows, dim]
  const std::vector<uint32_t> window_of_;  // [nodes of the batch]
};

}  // namespace

std::vector<float> AspectModel::MeanAspects() const {
  std::vector<float> means(centres.size());
  const std::vector<float> factors(aspects, 1.0f / static_cast<float>(aspects));
  for (size_t node = 0; node < node_count(); ++node) {
    AddRows({factors.data(), nullptr, aspects, &values[node * aspects * dim],
             dim, &means[node * dim]});
  }
  return means;
}

AspectGradients DifferentiateAspects(const AspectModel& model,
                                     const AspectBatch& batch,
                                     const AspectLossOptions& options) {
  return AspectDifferentiation(model, batch, options).Run();
}

}  // namespace slice
