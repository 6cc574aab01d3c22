// A draw without replacement, in proportion to weights, takes the nodes with
// the smallest of the numbers e / weight, where e is exponentially distributed
// (Efraimidis and Spirakis, Information Processing Letters 2006).
#include "trainer/methods/messages/hg_sampler.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/random.h"
#include "common/sample_to_front.h"

namespace slice {
namespace {

class BudgetSampler {
 public:
  BudgetSampler(const MessageGraph& graph, std::span<const NodeId> wanted,
                const HgSamplingOptions& options)
      : graph_(graph), options_(options), random_(options.seed) {
    for (const NodeId node : wanted) Choose(node);
  }

  std::vector<NodeId> Run() {
    size_t spread = 0;  // the first of the chosen nodes not yet in budgets
    for (int round = 0; round < options_.rounds; ++round) {
      for (; spread < chosen_.size(); ++spread) AddToBudgets(chosen_[spread]);
      for (const NodeId node : Draw()) Choose(node);
    }
    return std::move(chosen_);
  }

 private:
  void Choose(NodeId node) {
    chosen_.push_back(node);
    is_chosen_.insert(node);
    budget_.erase(node);
  }

  void AddToBudgets(NodeId node) {
    const std::span<const MessageArc> arcs = graph_.Arcs(node);
    for (size_t begin = 0; begin < arcs.size();) {
      std::vector<NodeId> neighbors;
      size_t end = begin;
      for (; end < arcs.size() && arcs[end].label == arcs[begin].label; ++end) {
        if (!options_.hidden.Hides(node, arcs[end].neighbor)) {
          neighbors.push_back(arcs[end].neighbor);
        }
      }
      SpreadOver(std::move(neighbors));
      begin = end;
    }
  }

  void SpreadOver(std::vector<NodeId> neighbors) {
    if (neighbors.size() > options_.most_arcs) {
      SampleToFront(std::span(neighbors), options_.most_arcs, random_);
      neighbors.resize(options_.most_arcs);
    }
    for (const NodeId neighbor : neighbors) {
      if (is_chosen_.contains(neighbor)) continue;
      budget_[neighbor] += 1 / static_cast<double>(neighbors.size());
    }
  }

  // The nodes that a round adds.
  std::vector<NodeId> Draw() {
    std::vector<std::pair<NodeId, double>> budgets(budget_.begin(),
                                                   budget_.end());
    std::sort(budgets.begin(), budgets.end());  // for one result per seed
    // By type: (key of the draw, node).
    std::unordered_map<uint32_t, std::vector<std::pair<double, NodeId>>> keys;
    for (const auto& [node, budget] : budgets) {
      const double exponential = -std::log(1 - random_.Uniform());
      keys[graph_.Type(node)].push_back(
          {exponential / (budget * budget), node});
    }
    std::vector<NodeId> drawn;
    for (auto& [type, of_type] : keys) {
      std::sort(of_type.begin(), of_type.end());
      if (of_type.size() > options_.nodes_of_type) {
        of_type.resize(options_.nodes_of_type);
      }
      for (const auto& [key, node] : of_type) drawn.push_back(node);
    }
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  }

  const MessageGraph& graph_;
  const HgSamplingOptions& options_;
  Random random_;
  std::vector<NodeId> chosen_;
  std::unordered_set<NodeId> is_chosen_;
  std::unordered_map<NodeId, double> budget_;  // of nodes not chosen
};

}  // namespace

std::vector<NodeId> SampleByBudget(const MessageGraph& graph,
                                   std::span<const NodeId> wanted,
                                   const HgSamplingOptions& options) {
  return BudgetSampler(graph, wanted, options).Run();
}

}  // namespace slice
