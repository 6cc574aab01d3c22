// What a knowledge graph embedding has learnt, as plain numbers, and how a
// question becomes a point to look for answers around.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_TABLES_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_question.h"
#include "graphstore/types.h"

namespace slice {

// How a relation moves the anchor h of a question to the point q near which
// its answers t lie.
enum class KnowledgeForm : uint8_t {
  // q = h + r, of the source of a link; h - r, of its target; score -|q - t|
  // (Bordes et al., NeurIPS 2013).
  kTranslation,
  // The Euclidean forms of Chami et al. (ACL 2020), each way through a relation
  // with numbers of its own: q = G h + r; score -|q - t|^2 + b_h + b_t. G turns
  // (or mirrors) pairs of coordinates...
  kRotation,
  kReflection,
  // ...or is both, weighted by attention: softmax(<a, Rot h>, <a, Ref h>).
  kAttention,
};

// The numbers of a node are [dim | bias as anchor | bias as answer]; those of a
// relation one way [translation, dim], then as the form needs them: [turns,
// dim], [mirrors, dim], pairs (x, y) of any length that stand for their angle,
// and [a, dim]. Copyable; thread-compatible.
struct KnowledgeTables {
  KnowledgeForm form = KnowledgeForm::kTranslation;
  size_t dim = 0;
  std::vector<float> entities;   // [nodes, entity_width()]
  std::vector<float> relations;  // [relation rows, relation_width()]

  // Small random numbers. REQUIRES: `dim` is even, but for translations.
  static KnowledgeTables Random(KnowledgeForm form, size_t dim, size_t nodes,
                                size_t relations, uint64_t seed);

  size_t node_count() const { return entities.size() / entity_width(); }
  size_t entity_width() const { return dim + 2; }
  size_t relation_width() const { return RelationWidth(form, dim); }
  static size_t RelationWidth(KnowledgeForm form, size_t dim);
  // One per relation for translations, which can be gone backwards; two for
  // the others.
  static size_t RelationRows(KnowledgeForm form, size_t relations);

  // The row of a relation one way, and whether it is gone backwards.
  struct Way {
    uint32_t row = 0;
    float sign = 1;
  };
  static Way WayOf(KnowledgeForm form, RelationId relation,
                   Direction direction);

  std::span<const float> Entity(NodeId node) const {
    return std::span(entities).subspan(node * entity_width(), dim);
  }
  // 0 for translations, which have none.
  float AnchorBias(NodeId node) const { return Bias(node, 0); }
  float AnswerBias(NodeId node) const { return Bias(node, 1); }

  // The point q, [dim].
  void Query(const EndQuestion& question, std::span<float> point) const;

 private:
  float Bias(NodeId node, size_t which) const {
    return form == KnowledgeForm::kTranslation
               ? 0
               : entities[node * entity_width() + dim + which];
  }
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_TABLES_H_
