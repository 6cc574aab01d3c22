// One matrix product gives the scores of all entities of the batch for all
// questions; two more turn the gradient by scores into that by points and by
// entities. A point is the product of anchor and relation, pair by pair as
// complex numbers (KnowledgeTables::Query). All other terms are sums over the
// links, written as loops.
#include "trainer/methods/knowledge/complex_batch.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "common/complex_rows.h"
#include "trainer/methods/knowledge/softmax_row.h"

namespace slice {
namespace {

using at::Tensor;

// All rows below have `dim` numbers, as pairs (real, imaginary).

// to += a b
void AddProduct(const float* a, const float* b, size_t dim, float* to) {
  for (size_t k = 0; k < dim; k += 2) {
    to[k] += a[k] * b[k] - a[k + 1] * b[k + 1];
    to[k + 1] += a[k] * b[k + 1] + a[k + 1] * b[k];
  }
}

// to += conj(a) b
void AddConjugateProduct(const float* a, const float* b, size_t dim,
                         float* to) {
  for (size_t k = 0; k < dim; k += 2) {
    to[k] += a[k] * b[k] + a[k + 1] * b[k + 1];
    to[k + 1] += a[k] * b[k + 1] - a[k + 1] * b[k];
  }
}

// Adds `weight` times the gradient of the sum of |x|^3 to `to`, and returns
// `weight` times that sum.
double AddCubes(const float* row, size_t dim, double weight, float* to) {
  double sum = 0;
  for (size_t k = 0; k < dim; k += 2) {
    const float x = row[k], y = row[k + 1];
    const float length = std::sqrt(x * x + y * y);
    const auto slope = static_cast<float>(3 * weight) * length;
    to[k] += slope * x;
    to[k + 1] += slope * y;
    sum += double{length} * length * length;
  }
  return weight * sum;
}

Tensor Rows(size_t rows, size_t dim) {
  return at::zeros({static_cast<int64_t>(rows), static_cast<int64_t>(dim)});
}

void AddTo(const Tensor& from, std::vector<float>& to) {
  const float* const values = from.const_data_ptr<float>();
  for (size_t i = 0; i < to.size(); ++i) to[i] += values[i];
}

class Differentiation {
 public:
  Differentiation(const KnowledgeTables& tables, const ComplexBatch& batch,
                  std::span<const ComplexQuestion> questions,
                  const ComplexLoss& loss)
      : tables_(tables),
        batch_(batch),
        questions_(questions),
        loss_(loss),
        dim_(tables.dim),
        scale_(1.0f / static_cast<float>(batch.links)),
        entities_(at::empty({static_cast<int64_t>(batch.entities.size()),
                             static_cast<int64_t>(dim_)})) {
    float* to = entities_.data_ptr<float>();
    for (const uint32_t row : batch.entities) {
      to = std::copy_n(tables.entities.data() + row * tables.entity_width(),
                       dim_, to);
    }
  }

  ComplexGradients Run() {
    ComplexGradients gradients;
    gradients.relations.resize(tables_.relations.size());
    DifferentiateAnswers(gradients);
    if (loss_.relation_prediction > 0) DifferentiateRelations(gradients);
    if (loss_.n3 > 0) DifferentiateCubes(gradients);
    return gradients;
  }

 private:
  const float* Entity(uint32_t place) const {
    return entities_.const_data_ptr<float>() + place * dim_;
  }
  const float* Relation(uint32_t row) const {
    return tables_.relations.data() + row * dim_;
  }

  void DifferentiateAnswers(ComplexGradients& gradients) {
    const size_t count = questions_.size();
    Tensor points = Rows(count, dim_);
    float* const point = points.data_ptr<float>();
    for (size_t i = 0; i < count; ++i) {
      MultiplyComplex(Entity(questions_[i].anchor),
                      Relation(questions_[i].relation), dim_, point + i * dim_);
    }
    const auto type = loss_.bfloat16 ? at::kBFloat16 : at::kFloat;
    const Tensor left = points.to(type), right = entities_.to(type);
    Tensor scores = left.mm(right.t());
    std::vector<float> buffer;
    for (size_t i = 0; i < count; ++i) {
      SoftmaxRow row;
      row.size = batch_.entities.size();
      row.rivals = batch_.rivals;
      row.known = questions_[i].known;
      row.answers = questions_[i].answers;
      row.scale = scale_;
      if (loss_.bfloat16) {
        row.bfloats =
            reinterpret_cast<uint16_t*>(scores.data_ptr<at::BFloat16>()) +
            i * row.size;
      } else {
        row.floats = scores.data_ptr<float>() + i * row.size;
      }
      gradients.loss += SoftmaxLossOfRow(row, buffer);
    }
    const Tensor by_point = scores.mm(right).to(at::kFloat);
    const Tensor by_entity = scores.t().mm(left).to(at::kFloat).contiguous();
    const float* const first = by_entity.const_data_ptr<float>();
    gradients.entities.assign(first, first + by_entity.numel());
    // The point is anchor * relation: the gradient by a factor is that by the
    // product times the conjugate of the other factor.
    const float* const slope = by_point.const_data_ptr<float>();
    for (size_t i = 0; i < count; ++i) {
      const auto& [anchor, relation, answers, known] = questions_[i];
      AddConjugateProduct(Relation(relation), slope + i * dim_, dim_,
                          EntityGradient(gradients, anchor));
      AddConjugateProduct(Entity(anchor), slope + i * dim_, dim_,
                          RelationGradient(gradients, relation));
    }
  }

  // The score of a link with the relation r is the dot product of r and
  // p = conj(anchor) answer.
  void DifferentiateRelations(ComplexGradients& gradients) {
    const size_t rows = tables_.relations.size() / dim_;
    Tensor pairs = Rows(CountLinks(), dim_);
    float* pair = pairs.data_ptr<float>();
    ForEachLink([&](const ComplexQuestion& question, uint32_t answer) {
      MultiplyConjugate(Entity(question.anchor), Entity(answer), dim_, pair);
      pair += dim_;
    });
    Tensor relations = Rows(rows, dim_);
    std::copy_n(tables_.relations.data(), rows * dim_,
                relations.data_ptr<float>());
    Tensor scores = pairs.mm(relations.t());
    std::vector<float> buffer;
    float* of_link = scores.data_ptr<float>();
    double sum = 0;
    ForEachLink([&](const ComplexQuestion& question, uint32_t) {
      SoftmaxRow row;
      row.floats = of_link;
      row.size = row.rivals = rows;
      row.known = row.answers = {&question.relation, 1};
      row.scale = scale_ * static_cast<float>(loss_.relation_prediction);
      sum += SoftmaxLossOfRow(row, buffer);
      of_link += rows;
    });
    gradients.loss += loss_.relation_prediction * sum;
    const Tensor by_relation = scores.t().mm(pairs).contiguous();
    AddTo(by_relation, gradients.relations);
    const Tensor by_pair = scores.mm(relations);
    const float* slope = by_pair.const_data_ptr<float>();
    ForEachLink([&](const ComplexQuestion& question, uint32_t answer) {
      AddConjugateProduct(slope, Entity(answer), dim_,
                          EntityGradient(gradients, question.anchor));
      AddProduct(slope, Entity(question.anchor), dim_,
                 EntityGradient(gradients, answer));
      slope += dim_;
    });
  }

  void DifferentiateCubes(ComplexGradients& gradients) {
    const double weight = loss_.n3 * scale_;
    double sum = 0;
    ForEachLink([&](const ComplexQuestion& question, uint32_t answer) {
      sum += AddCubes(Entity(question.anchor), dim_, weight,
                      EntityGradient(gradients, question.anchor));
      sum += AddCubes(Entity(answer), dim_, weight,
                      EntityGradient(gradients, answer));
      sum += AddCubes(Relation(question.relation), dim_, weight,
                      RelationGradient(gradients, question.relation));
    });
    gradients.loss += sum / scale_;
  }

  template <typename Body>
  void ForEachLink(const Body& body) const {
    for (const ComplexQuestion& question : questions_) {
      for (const uint32_t answer : question.answers) body(question, answer);
    }
  }
  size_t CountLinks() const {
    size_t links = 0;
    ForEachLink([&](const ComplexQuestion&, uint32_t) { ++links; });
    return links;
  }
  float* EntityGradient(ComplexGradients& gradients, uint32_t place) const {
    return gradients.entities.data() + place * dim_;
  }
  float* RelationGradient(ComplexGradients& gradients, uint32_t row) const {
    return gradients.relations.data() + row * dim_;
  }

  const KnowledgeTables& tables_;
  const ComplexBatch& batch_;
  const std::span<const ComplexQuestion> questions_;
  const ComplexLoss& loss_;
  const size_t dim_;
  const float scale_;
  Tensor entities_;  // [batch.entities, dim]
};

}  // namespace

ComplexGradients Differentiate(const KnowledgeTables& tables,
                               const ComplexBatch& batch, size_t begin,
                               size_t end, const ComplexLoss& loss) {
  return Differentiation(tables, batch,
                         std::span(batch.questions).subspan(begin, end - begin),
                         loss)
      .Run();
}

}  // namespace slice
