// Four passes make the gradient:
//   1. window by window: its centre is embedded, the products with the context
//      vectors become the loss and slopes, which are the derivatives of the
//      loss by the products, and the centre's gradient is passed on. Windows
//      form runs of one relation, and a run sums the gradient of the relation's
//      matrices;
//   2. node by node: the gradients of the windows of a centre are summed;
//   3. node by node: slopes times vectors are summed over the windows that use
//      the node as context or noise;
//   4. the gradients by edge vectors are shared out to neighbours, and those of
//      runs to relations.
// In passes 1 to 3 one thread owns what is written and sums in the order of the
// batch; pass 4 is short and runs on one thread. So the number of threads
// changes nothing.
#include "trainer/methods/walks/gatne/gatne_skip_gram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/parallel.h"
#include "common/row_products.h"
#include "trainer/methods/walks/entries_by_row.h"
#include "trainer/methods/walks/row_sums.h"

namespace slice {
namespace {

constexpr size_t kWindowsOfRun = 64;
constexpr size_t kRowsAtOnce = 64;
constexpr size_t kLayerNodesAtOnce = 1024;

// Writes the mean of the initial edge vectors of a layer node's neighbours.
void MeanEdges(const GatneModel& model, const GatneSources& sources,
               LayerNode layer_node, float* to) {
  const auto neighbors = sources.neighbors->Of(layer_node);
  thread_local std::vector<float> shares;
  shares.assign(neighbors.size(), 1.0f / static_cast<float>(neighbors.size()));
  std::fill_n(to, model.edge_dim, 0.0f);
  AddRows({shares.data(), neighbors.data(), neighbors.size(),
           model.edges.data(), model.edge_dim, to});
}

// Consecutive windows of one relation, and their gradient by its matrices.
struct WindowRun {
  WindowRun(size_t begin, RelationId relation, const GatneModel& model)
      : begin(begin), end(begin), relation(relation), gradient(model) {}

  size_t begin, end;
  RelationId relation;
  RelationGradient gradient;
};

class GatneDifferentiation {
 public:
  GatneDifferentiation(const GatneModel& model, const GatneSources& sources,
                       const WalkWindows& batch, int threads)
      : model_(model),
        sources_(sources),
        graph_(*sources.graph),
        batch_(batch),
        threads_(threads),
        slopes_(batch.nodes.size()),
        losses_(batch.windows()),
        vectors_(batch.windows() * model.dim),
        by_base_(batch.windows() * model.dim) {
    for (const LayerNode centre : batch.centres) {
      edge_begins_.push_back(edge_begins_.back() +
                             graph_.LayersOf(graph_.NodeOf(centre)));
    }
    by_edges_.resize(edge_begins_.back() * model.edge_dim);
  }

  GatneGradients Run() {
    CutRuns();
    ParallelFor(runs_.size(), 1, threads_, [&](size_t begin, size_t end, int) {
      for (size_t i = begin; i < end; ++i) {
        for (size_t window = runs_[i].begin; window < runs_[i].end; ++window) {
          WeighWindow(window, runs_[i].gradient);
        }
      }
    });
    GatneGradients gradients;
    gradients.loss = std::accumulate(losses_.begin(), losses_.end(), 0.0);
    SumBase(gradients);
    SumContexts(gradients);
    SumEdges(gradients);
    gradients.lift = SumRuns(&RelationGradient::lift);
    gradients.inner = SumRuns(&RelationGradient::inner);
    gradients.outer = SumRuns(&RelationGradient::outer);
    return gradients;
  }

 private:
  void CutRuns() {
    for (size_t window = 0; window < batch_.windows(); ++window) {
      const RelationId relation = graph_.RelationOf(batch_.centres[window]);
      if (runs_.empty() || runs_.back().relation != relation ||
          window - runs_.back().begin == kWindowsOfRun) {
        runs_.emplace_back(window, relation, model_);
      }
      runs_.back().end = window + 1;
    }
  }

  void WeighWindow(size_t window, RelationGradient& relation) {
    const LayerNode centre = batch_.centres[window];
    thread_local std::vector<float> edges, by_vector;
    thread_local GatneState state;
    GatneNode node = {graph_.NodeOf(centre), graph_.RelationOf(centre)};
    node.layers = graph_.LayersOf(node.node);
    edges.resize(node.layers * model_.edge_dim);
    for (size_t p = 0; p < node.layers; ++p) {
      MeanEdges(model_, sources_,
                graph_.FirstOf(node.node) + static_cast<LayerNode>(p),
                &edges[p * model_.edge_dim]);
    }
    node.edges = edges.data();
    EmbedNode(model_, node, state);
    std::copy(state.vector.begin(), state.vector.end(),
              &vectors_[window * model_.dim]);
    by_vector.assign(model_.dim, 0);
    WeighProducts(window, by_vector.data());
    DifferentiateNode(
        model_, node, state, by_vector.data(),
        {&by_base_[window * model_.dim],
         &by_edges_[edge_begins_[window] * model_.edge_dim], &relation});
  }

  // The loss of a window, its slopes, and its gradient by the vector.
  void WeighProducts(size_t window, float* by_vector) {
    const auto nodes = batch_.NodesOf(window);
    float* const slopes = &slopes_[batch_.begins[window]];
    MultiplyRows({&vectors_[window * model_.dim], model_.contexts.data(),
                  model_.dim, nodes.data(), nodes.size(), slopes});
    double loss = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool is_context = i < batch_.context_counts[window];
      // -log s(x) = log(1 + exp(-x))
      const float x = is_context ? -slopes[i] : slopes[i];
      const float small = std::exp(-std::abs(x));
      loss += std::max(x, 0.0f) + std::log1p(small);
      const float slope = (x > 0 ? 1 : small) / (1 + small);
      slopes[i] = is_context ? -slope : slope;
    }
    losses_[window] = loss;
    AddRows({slopes, nodes.data(), nodes.size(), model_.contexts.data(),
             model_.dim, by_vector});
  }

  void SumBase(GatneGradients& gradients) const {
    std::vector<uint32_t> centres;
    for (const LayerNode centre : batch_.centres) {
      centres.push_back(graph_.NodeOf(centre));
    }
    const EntriesByRow by_row(centres, graph_.node_count());
    const std::vector<float> ones(batch_.windows(), 1);
    gradients.base =
        SumRows(by_row, [&](std::span<const uint32_t> windows, float* to) {
          AddRows({ones.data(), windows.data(), windows.size(), by_base_.data(),
                   model_.dim, to});
        });
  }

  void SumContexts(GatneGradients& gradients) const {
    const std::vector<uint32_t> window_of = batch_.WindowOfNodes();
    const EntriesByRow by_row(batch_.nodes, graph_.node_count());
    gradients.contexts =
        SumRows(by_row, [&](std::span<const uint32_t> entries, float* to) {
          thread_local std::vector<float> factors;
          thread_local std::vector<uint32_t> windows;
          factors.clear();
          windows.clear();
          for (const uint32_t entry : entries) {
            factors.push_back(slopes_[entry]);
            windows.push_back(window_of[entry]);
          }
          AddRows({factors.data(), windows.data(), windows.size(),
                   vectors_.data(), model_.dim, to});
        });
  }

  // Rows of `dim` numbers: sum(entries of the row, where to add them).
  template <typename Sum>
  TableGradient SumRows(const EntriesByRow& by_row, const Sum& sum) const {
    TableGradient gradient;
    gradient.rows = by_row.rows;
    gradient.values.resize(by_row.rows.size() * model_.dim);
    ParallelFor(by_row.rows.size(), kRowsAtOnce, threads_,
                [&](size_t begin, size_t end, int) {
                  for (size_t row = begin; row < end; ++row) {
                    sum(by_row.Of(row), &gradient.values[row * model_.dim]);
                  }
                });
    return gradient;
  }

  void SumEdges(GatneGradients& gradients) const {
    // Where the gradient of a layer node is, plus one; 0: nowhere.
    std::vector<uint32_t> places(graph_.layer_node_count());
    const size_t edge_dim = model_.edge_dim;
    TableGradient& table = gradients.edges;
    for (size_t window = 0; window < batch_.windows(); ++window) {
      const NodeId node = graph_.NodeOf(batch_.centres[window]);
      const float* from = &by_edges_[edge_begins_[window] * edge_dim];
      for (LayerNode i = graph_.FirstOf(node); i < graph_.FirstOf(node + 1);
           ++i, from += edge_dim) {
        const auto neighbors = sources_.neighbors->Of(i);
        const float share = 1.0f / static_cast<float>(neighbors.size());
        for (const LayerNode neighbor : neighbors) {
          uint32_t& place = places[neighbor];
          if (place == 0) {
            table.rows.push_back(neighbor);
            table.values.resize(table.values.size() + edge_dim);
            place = static_cast<uint32_t>(table.rows.size());
          }
          float* const to = &table.values[(place - 1) * edge_dim];
          for (size_t k = 0; k < edge_dim; ++k) to[k] += share * from[k];
        }
      }
    }
  }

  // The gradient by one of the matrices, summed over the runs of each relation.
  TableGradient SumRuns(std::vector<float> RelationGradient::*matrix) const {
    TableGradient table;
    for (const WindowRun& run : runs_) {
      const std::vector<float>& part = run.gradient.*matrix;
      if (table.rows.empty() || table.rows.back() != run.relation) {
        table.rows.push_back(run.relation);
        table.values.insert(table.values.end(), part.begin(), part.end());
        continue;
      }
      float* const to = table.values.data() + table.values.size() - part.size();
      for (size_t k = 0; k < part.size(); ++k) to[k] += part[k];
    }
    return table;
  }

  const GatneModel& model_;
  const GatneSources& sources_;
  const LayeredGraph& graph_;
  const WalkWindows& batch_;
  const int threads_;
  std::vector<WindowRun> runs_;
  std::vector<float> slopes_;              // [nodes of the batch]
  std::vector<double> losses_;             // [windows]
  std::vector<float> vectors_;             // v, [windows, dim]
  std::vector<float> by_base_;             // [windows, dim]
  std::vector<size_t> edge_begins_ = {0};  // [windows + 1], rows of by_edges_
  std::vector<float> by_edges_;
};

}  // namespace

GatneGradients DifferentiateGatne(const GatneModel& model,
                                  const GatneSources& sources,
                                  const WalkWindows& batch, int threads) {
  return GatneDifferentiation(model, sources, batch, threads).Run();
}

std::vector<float> EdgeVectors(const GatneModel& model,
                               const GatneSources& sources, int threads) {
  const size_t count = sources.graph->layer_node_count();
  std::vector<float> vectors(count * model.edge_dim);
  ParallelFor(count, kLayerNodesAtOnce, threads,
              [&](size_t begin, size_t end, int) {
                for (size_t i = begin; i < end; ++i) {
                  MeanEdges(model, sources, static_cast<LayerNode>(i),
                            &vectors[i * model.edge_dim]);
                }
              });
  return vectors;
}

}  // namespace slice
