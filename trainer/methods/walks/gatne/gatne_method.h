// GATNE-T after its training: scores of links by the vectors of their ends.
#ifndef SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_METHOD_H_
#define SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_METHOD_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "trainer/methods/link_method.h"
#include "trainer/methods/walks/gatne/gatne_network.h"
#include "trainer/methods/walks/gatne/layered_graph.h"

namespace slice {

// What scores a link (u, r, v).
enum class GatneScore : uint8_t {
  // <v_ur, c_v> + <v_vr, c_u>: the logits that skip-gram trains.
  kInputOutput,
  // <v_ur, v_vr>, as in the paper: the cosine, since vectors have unit length.
  kCosine,
};

// To score candidates it keeps the mixed edge vectors of all nodes for every
// relation that was asked about. Its embeddings are the vectors b that all
// relations of a node share. Immutable; thread-safe.
class GatneVectorsMethod final : public TrainedMethod {
 public:
  // `edges` are those of EdgeVectors().
  GatneVectorsMethod(std::shared_ptr<const LayeredGraph> graph,
                     GatneModel model, std::vector<float> edges,
                     GatneScore score, MethodSummary summary);

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  void ScoreCandidates(const EndQuestion& question,
                       std::span<const NodeId> candidates,
                       std::span<float> scores) const override;
  NodeEmbeddings embeddings() const override {
    return {model_.base, model_.dim};
  }

 private:
  // What candidates for one relation need of each node.
  struct RelationTable {
    std::once_flag made;
    std::vector<float> mixed;    // GatneState::mixed, [nodes, edge_dim]
    std::vector<float> lengths;  // GatneState::length, [nodes]
  };

  GatneNode NodeOf(NodeId node, RelationId relation) const;
  // Fills the table of a relation when it is asked for first.
  const RelationTable& TableOf(RelationId relation) const;
  // Fills `scores` with <query, v_jr> for each candidate j.
  void MultiplyCandidates(const std::vector<float>& query, RelationId relation,
                          std::span<const NodeId> candidates,
                          std::span<float> scores) const;

  const std::shared_ptr<const LayeredGraph> graph_;
  const GatneModel model_;
  const std::vector<float> edges_;
  const GatneScore score_;
  mutable std::vector<RelationTable> tables_;  // [relations]
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_METHOD_H_
