// The plain C++ counterpart of the formulas in
// trainer/methods/knowledge/knowledge_loss.cc, for scoring after the training.
// For a translation, Query() copies the vector of the anchor; for the other
// forms it rotates or reflects the vector, and attention mixes a rotation with
// a reflection. Then it adds the translation with its sign. For a product it
// multiplies pairs as complex numbers, and there is no translation.
#include "trainer/methods/knowledge/knowledge_tables.h"

#include <cmath>
#include <numeric>

#include "common/complex_rows.h"
#include "common/random.h"

namespace slice {
namespace {

// The bound of initial numbers. It is small against the distances that training
// makes.
constexpr double kEntitySpread = 0.05;

bool HasOneAngle(KnowledgeForm form) {
  return form == KnowledgeForm::kRotation || form == KnowledgeForm::kReflection;
}

// Writes each pair of coordinates of `from`, rotated by the angle of the same
// pair of `turns`, to `to`; reflected instead when `mirror` is set.
void TurnPairs(std::span<const float> turns, std::span<const float> from,
               bool mirror, std::span<float> to) {
  for (size_t k = 0; k + 1 < from.size(); k += 2) {
    const float length = std::hypot(turns[k], turns[k + 1]);
    const float scale = 1 / std::max(length, 1e-15f);
    const float cosine = turns[k] * scale, sine = turns[k + 1] * scale;
    const float x = from[k], y = from[k + 1];
    to[k] = mirror ? cosine * x + sine * y : cosine * x - sine * y;
    to[k + 1] = mirror ? sine * x - cosine * y : sine * x + cosine * y;
  }
}

// Replaces `turned` by the mean of `turned` and `mirrored`, weighted by
// attention.
void Attend(std::span<const float> attention, std::span<const float> mirrored,
            std::span<float> turned) {
  const size_t dim = turned.size();
  const auto logit = [&](std::span<const float> candidate) {
    return std::inner_product(candidate.begin(), candidate.end(),
                              attention.begin(), 0.0f) /
           std::sqrt(static_cast<float>(dim));
  };
  const float share = 1 / (1 + std::exp(logit(mirrored) - logit(turned)));
  for (size_t k = 0; k < dim; ++k) {
    turned[k] = share * turned[k] + (1 - share) * mirrored[k];
  }
}

}  // namespace

size_t KnowledgeTables::RelationWidth(KnowledgeForm form, size_t dim) {
  if (form == KnowledgeForm::kTranslation || IsProduct(form)) return dim;
  return HasOneAngle(form) ? 2 * dim : 4 * dim;
}

size_t KnowledgeTables::RelationRows(KnowledgeForm form, size_t relations) {
  return form == KnowledgeForm::kTranslation ? relations : 2 * relations;
}

KnowledgeTables::SignedRow KnowledgeTables::SignedRowOf(KnowledgeForm form,
                                                        RelationId relation,
                                                        Direction direction) {
  const bool back = direction == Direction::kIn;
  if (form == KnowledgeForm::kTranslation) {
    return {relation, back ? -1.0f : 1.0f};
  }
  return {2u * relation + (back ? 1 : 0), 1.0f};
}

KnowledgeTables KnowledgeTables::Random(KnowledgeForm form, size_t dim,
                                        size_t nodes, size_t relations,
                                        uint64_t seed) {
  slice::Random random(seed);
  const auto draw = [&](double spread) {
    return static_cast<float>((2 * random.Uniform() - 1) * spread);
  };
  KnowledgeTables tables;
  tables.form = form;
  tables.dim = dim;
  tables.entities.assign(nodes * tables.entity_width(), 0);
  for (size_t node = 0; node < nodes; ++node) {
    float* const row = tables.entities.data() + node * tables.entity_width();
    for (size_t k = 0; k < dim; ++k) row[k] = draw(kEntitySpread);
  }
  const size_t width = tables.relation_width();
  tables.relations.resize(RelationRows(form, relations) * width);
  for (size_t i = 0; i < tables.relations.size(); ++i) {
    const size_t part = i % width / dim;
    const bool is_angle =
        part == 1 || (part == 2 && form == KnowledgeForm::kAttention);
    tables.relations[i] = draw(is_angle ? 1 : kEntitySpread);
  }
  return tables;
}

void KnowledgeTables::Query(const EndQuestion& question,
                            std::span<float> point) const {
  const SignedRow signed_row =
      SignedRowOf(form, question.relation, question.direction);
  const std::span<const float> anchor = Entity(question.anchor);
  const std::span<const float> relation = std::span(relations).subspan(
      signed_row.row * relation_width(), relation_width());
  if (IsProduct(form)) {
    MultiplyComplex(anchor.data(), relation.data(), dim, point.data());
    return;
  }
  if (form == KnowledgeForm::kTranslation) {
    std::copy(anchor.begin(), anchor.end(), point.begin());
  } else {
    TurnPairs(relation.subspan(dim, dim), anchor,
              form == KnowledgeForm::kReflection, point);
  }
  if (form == KnowledgeForm::kAttention) {
    std::vector<float> mirrored(dim);
    TurnPairs(relation.subspan(2 * dim, dim), anchor, true, mirrored);
    Attend(relation.subspan(3 * dim, dim), mirrored, point);
  }
  for (size_t k = 0; k < dim; ++k) point[k] += signed_row.sign * relation[k];
}

}  // namespace slice
