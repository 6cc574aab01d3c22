#include "trainer/methods/embedding_method.h"

#include "common/row_products.h"

namespace slice {
namespace {

// Writes the dot product of the row of `node` in `from` with the row of each
// candidate in `to`. Both tables are [nodes, dim].
void MultiplyAll(std::span<const float> from, NodeId node,
                 std::span<const float> to, size_t dim,
                 std::span<const NodeId> candidates, std::span<float> scores) {
  MultiplyRows({from.data() + node * dim, to.data(), dim, candidates.data(),
                candidates.size(), scores.data()});
}

}  // namespace

void DotProductMethod::Score(std::span<const Link> links,
                             std::span<const Link> /*made_from*/,
                             std::span<float> scores) const {
  for (size_t i = 0; i < links.size(); ++i) {
    MultiplyAll(values_, links[i].source, values_, dim_, {&links[i].target, 1},
                scores.subspan(i, 1));
  }
}

void DotProductMethod::ScoreCandidates(const EndQuestion& question,
                                       std::span<const NodeId> candidates,
                                       std::span<float> scores) const {
  MultiplyAll(values_, question.anchor, values_, dim_, candidates, scores);
}

void InputOutputMethod::Score(std::span<const Link> links,
                              std::span<const Link> /*made_from*/,
                              std::span<float> scores) const {
  for (size_t i = 0; i < links.size(); ++i) {
    const auto& [source, relation, target] = links[i];
    ScoreCandidates({source, relation, Direction::kOut}, {&links[i].target, 1},
                    scores.subspan(i, 1));
  }
}

void InputOutputMethod::ScoreCandidates(const EndQuestion& question,
                                        std::span<const NodeId> candidates,
                                        std::span<float> scores) const {
  std::vector<float> others(candidates.size());
  MultiplyAll(inputs_, question.anchor, outputs_, dim_, candidates, scores);
  MultiplyAll(outputs_, question.anchor, inputs_, dim_, candidates, others);
  for (size_t i = 0; i < others.size(); ++i) scores[i] += others[i];
}

}  // namespace slice
