#include "trainer/methods/walks/gatne/gatne_method.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/row_products.h"

namespace slice {
namespace {

// <row, rows[id]> for rows of `width` numbers.
float ProductWith(const std::vector<float>& row, const std::vector<float>& rows,
                  uint32_t id) {
  float product = 0;
  MultiplyRows({row.data(), rows.data(), row.size(), &id, 1, &product});
  return product;
}

}  // namespace

GatneVectorsMethod::GatneVectorsMethod(
    std::shared_ptr<const LayeredGraph> graph, GatneModel model,
    std::vector<float> edges, GatneScore score, MethodSummary summary)
    : graph_(std::move(graph)),
      model_(std::move(model)),
      edges_(std::move(edges)),
      score_(score),
      tables_(graph_->relation_count()) {
  summary_ = std::move(summary);
}

GatneNode GatneVectorsMethod::NodeOf(NodeId node, RelationId relation) const {
  return {node, relation,
          edges_.data() + graph_->FirstOf(node) * model_.edge_dim,
          graph_->LayersOf(node)};
}

void GatneVectorsMethod::Score(std::span<const Link> links,
                               std::span<const Link> /*made_from*/,
                               std::span<float> scores) const {
  GatneState source, target;
  for (size_t i = 0; i < links.size(); ++i) {
    const auto& [u, relation, v] = links[i];
    EmbedNode(model_, NodeOf(u, relation), source);
    EmbedNode(model_, NodeOf(v, relation), target);
    scores[i] = score_ == GatneScore::kCosine
                    ? ProductWith(source.vector, target.vector, 0)
                    : ProductWith(source.vector, model_.contexts, v) +
                          ProductWith(target.vector, model_.contexts, u);
  }
}

const GatneVectorsMethod::RelationTable& GatneVectorsMethod::TableOf(
    RelationId relation) const {
  RelationTable& table = tables_[relation];
  std::call_once(table.made, [&] {
    table.mixed.resize(graph_->node_count() * model_.edge_dim);
    GatneState state;
    for (NodeId node = 0; node < graph_->node_count(); ++node) {
      EmbedNode(model_, NodeOf(node, relation), state);
      std::copy(state.mixed.begin(), state.mixed.end(),
                table.mixed.begin() + node * model_.edge_dim);
      table.lengths.push_back(state.length);
    }
  });
  return table;
}

// With h_j for the mixed edge vector of candidate j and M for the matrix of the
// relation, <q, v_jr> = (<q, b_j> + alpha <M q, h_j>) / |x_jr|. So a candidate
// costs one product of `dim` numbers and one of `edge_dim`.
void GatneVectorsMethod::MultiplyCandidates(const std::vector<float>& query,
                                            RelationId relation,
                                            std::span<const NodeId> candidates,
                                            std::span<float> scores) const {
  const RelationTable& table = TableOf(relation);
  MultiplyRows({query.data(), model_.base.data(), model_.dim, candidates.data(),
                candidates.size(), scores.data()});
  std::vector<uint32_t> rows(model_.edge_dim);
  std::iota(rows.begin(), rows.end(),
            static_cast<uint32_t>(relation * model_.edge_dim));
  std::vector<float> lifted(model_.edge_dim), others(candidates.size());
  MultiplyRows({query.data(), model_.lift.data(), model_.dim, rows.data(),
                rows.size(), lifted.data()});
  MultiplyRows({lifted.data(), table.mixed.data(), model_.edge_dim,
                candidates.data(), candidates.size(), others.data()});
  for (size_t i = 0; i < candidates.size(); ++i) {
    scores[i] =
        (scores[i] + model_.alpha * others[i]) / table.lengths[candidates[i]];
  }
}

void GatneVectorsMethod::ScoreCandidates(const EndQuestion& question,
                                         std::span<const NodeId> candidates,
                                         std::span<float> scores) const {
  const auto [anchor, relation, direction] = question;
  GatneState state;
  EmbedNode(model_, NodeOf(anchor, relation), state);
  if (score_ == GatneScore::kCosine) {
    MultiplyCandidates(state.vector, relation, candidates, scores);
    return;
  }
  const auto context =
      model_.contexts.begin() + static_cast<ptrdiff_t>(anchor * model_.dim);
  MultiplyCandidates({context, context + static_cast<ptrdiff_t>(model_.dim)},
                     relation, candidates, scores);
  std::vector<float> products(candidates.size());
  MultiplyRows({state.vector.data(), model_.contexts.data(), model_.dim,
                candidates.data(), candidates.size(), products.data()});
  for (size_t i = 0; i < scores.size(); ++i) scores[i] += products[i];
}

}  // namespace slice
