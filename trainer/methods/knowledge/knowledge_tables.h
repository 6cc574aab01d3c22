// The numbers that a knowledge graph embedding learns, and how a question
// becomes the point near which its answers lie.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_TABLES_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_question.h"
#include "graphstore/types.h"

namespace slice {

// How a relation moves the anchor h of a question to the point q near which its
// answers t lie.
enum class KnowledgeForm : uint8_t {
  // q = h + r when the target is wanted, q = h - r when the source is wanted.
  // The score is -|q - t| (Bordes et al., NeurIPS 2013).
  kTranslation,
  // The Euclidean forms of Chami et al. (ACL 2020): q = G h + r, and the score
  // is -|q - t|^2 + b_h + b_t. Each direction of a relation has numbers of its
  // own. G rotates, or reflects, pairs of coordinates...
  kRotation,
  kReflection,
  // ...or is the mean of both, weighted by attention: softmax(<a, Rot h>, <a,
  // Ref h>).
  kAttention,
};

// A row of an entity is [vector, dim | bias as anchor | bias as answer]. A row
// of a relation is [translation, dim], then, as the form needs them: [rotation
// or reflection, dim]; [rotation, dim], [reflection, dim], [attention, dim].
// Rotations and reflections are pairs (x, y) of any length that mean their
// angle. Copyable; thread-compatible.
struct KnowledgeTables {
  KnowledgeForm form = KnowledgeForm::kTranslation;
  size_t dim = 0;
  std::vector<float> entities;   // [nodes, entity_width()]
  std::vector<float> relations;  // [relation rows, relation_width()]

  // Tables of small random numbers. REQUIRES: `dim` is even, except for
  // translations.
  static KnowledgeTables Random(KnowledgeForm form, size_t dim, size_t nodes,
                                size_t relations, uint64_t seed);

  size_t node_count() const { return entities.size() / entity_width(); }
  size_t entity_width() const { return dim + 2; }
  size_t relation_width() const { return RelationWidth(form, dim); }
  static size_t RelationWidth(KnowledgeForm form, size_t dim);
  // Rows of relations: one per relation for translations, which work in both
  // directions, and two for the other forms.
  static size_t RelationRows(KnowledgeForm form, size_t relations);

  // The row of a relation in one direction of a question, and the sign of its
  // translation: -1 when a translation is applied backwards.
  struct SignedRow {
    uint32_t row = 0;
    float sign = 1;
  };
  static SignedRow SignedRowOf(KnowledgeForm form, RelationId relation,
                               Direction direction);

  std::span<const float> Entity(NodeId node) const {
    return std::span(entities).subspan(node * entity_width(), dim);
  }
  // The biases; 0 for translations, which have none.
  float AnchorBias(NodeId node) const { return Bias(node, 0); }
  float AnswerBias(NodeId node) const { return Bias(node, 1); }

  // Writes the point q of `question`, [dim].
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
