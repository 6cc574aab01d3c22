// Each direction of a relation has a vector of its own while it learns. What is
// kept is one vector, (r + conj(r')) / 2. Its score is the mean of the scores
// of both directions, because of
//   Re(v r' conj(u)) = Re(u conj(r') conj(v)).
#include "trainer/knowledge_training.h"

#include <algorithm>

#include "common/status_macros.h"
#include "model/native/bfloat16_product.h"
#include "trainer/methods/knowledge/complex.h"

namespace slice {
namespace {

std::vector<float> MergeDirections(const KnowledgeTables& tables,
                                   size_t relations) {
  std::vector<float> merged;
  merged.reserve(relations * tables.dim);
  for (size_t relation = 0; relation < relations; ++relation) {
    const auto row = [&](Direction direction) {
      return tables.relations.data() +
             KnowledgeTables::SignedRowOf(
                 tables.form, static_cast<RelationId>(relation), direction)
                     .row *
                 tables.dim;
    };
    const float* const out = row(Direction::kOut);
    const float* const in = row(Direction::kIn);
    for (size_t k = 0; k < tables.dim; k += 2) {
      merged.push_back((out[k] + in[k]) / 2);
      merged.push_back((out[k + 1] - in[k + 1]) / 2);
    }
  }
  return merged;
}

bool HasLinks(const GraphSnapshot& graph, NodeId node) {
  return graph.Arcs(node, Direction::kOut).size() > 0 ||
         graph.Arcs(node, Direction::kIn).size() > 0;
}

// The vector that a node without links has learned only says that no question
// had it for an answer.
std::vector<float> LinkedRows(const KnowledgeTables& tables,
                              const GraphSnapshot& graph) {
  std::vector<float> rows(graph.node_count() * tables.dim);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    if (!HasLinks(graph, node)) continue;
    std::ranges::copy(tables.Entity(node), rows.begin() + node * tables.dim);
  }
  return rows;
}

}  // namespace

absl::StatusOr<TrainedKnowledge> TrainKnowledge(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid,
    const KnowledgeTrainingOptions& options) {
  ComplexTraining training;
  training.options.dim = options.dim;
  // Cheaper than the defaults: larger steps, and fewer looks at valid.
  training.options.batch = 1000;
  training.options.most_answers = 64;
  training.options.average = 1;
  training.patience = 3;
  training.valid_links = 500;
  training.options.loss.bfloat16 = MachineHasBfloat16Products();
  training.options.seed = options.seed;
  training.options.threads = options.threads;
  training.epochs = options.epochs;
  training.look_every = options.look_every;
  SLICE_ASSIGN_OR_RETURN(const TrainedComplex trained,
                         TrainComplex(snapshot, valid, training));
  TrainedKnowledge knowledge;
  knowledge.nodes = LinkedRows(trained.tables, snapshot);
  knowledge.relations =
      MergeDirections(trained.tables, snapshot.relation_count());
  for (const CurvePoint& point : trained.summary.loss) {
    knowledge.losses.push_back(point.y);
  }
  return knowledge;
}

}  // namespace slice
