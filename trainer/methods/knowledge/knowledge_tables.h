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

// How a relation r moves the vector h of the anchor, which is the known end of
// a question, to the point q near which the vectors t of the answers lie.
enum class KnowledgeForm : uint8_t {
  // q = h + r when the target is wanted, q = h - r when the source is wanted.
  // The score is -|q - t| (Bordes et al., NeurIPS 2013).
  kTranslation,
  // The Euclidean forms of Chami et al. (ACL 2020): q = G h + r, and the score
  // is -|q - t|^2 + b_h + b_t, where b are biases. Each direction of a relation
  // has its own numbers. G rotates pairs of coordinates (kRotation) or reflects
  // them (kReflection).
  kRotation,
  kReflection,
  // G h is the mean of the rotated and the reflected h, weighted by the softmax
  // of <a, rotated h> / sqrt(dim) and <a, reflected h> / sqrt(dim).
  kAttention,
  // q = h r, pair by pair, where each pair of coordinates is a complex number.
  // The score is the dot product <q, t>, which is the real part of
  // sum_k h_k r_k conj(t_k) (ComplEx: Trouillon et al., ICML 2016). Each
  // direction of a relation has its own r (reciprocal relations: Lacroix,
  // Usunier and Obozinski, ICML 2018).
  kProduct,
};

// Whether the score is a dot product, and not a distance.
inline bool IsProduct(KnowledgeForm form) {
  return form == KnowledgeForm::kProduct;
}

// The learned numbers, in rows:
//   entity: [vector, dim | bias as anchor | bias as answer]
//   relation, kTranslation: [translation, dim]
//   relation, kProduct: [factor, dim]
//   relation, kRotation and kReflection: [translation | turn], dim each
//   relation, kAttention: [translation | rotation | reflection | a], dim each
// A turn, a rotation or a reflection consists of pairs (x, y); each pair stands
// for the angle of the vector (x, y), whatever its length. Copyable;
// thread-compatible.
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
  // How many rows the relations have: one per relation for translations, which
  // work in both directions, and two for the other forms.
  static size_t RelationRows(KnowledgeForm form, size_t relations);

  // The row of a relation for one direction of questions, and the sign of its
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
  // The biases; 0 for translations and products, which have none.
  float AnchorBias(NodeId node) const { return Bias(node, 0); }
  float AnswerBias(NodeId node) const { return Bias(node, 1); }

  // Writes the point q of `question`, [dim].
  void Query(const EndQuestion& question, std::span<float> point) const;

 private:
  float Bias(NodeId node, size_t which) const {
    return form == KnowledgeForm::kTranslation || IsProduct(form)
               ? 0
               : entities[node * entity_width() + dim + which];
  }
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_TABLES_H_
