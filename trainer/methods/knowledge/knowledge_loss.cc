// A row of an entity is [vector, bias as anchor, bias as answer]. A row of a
// relation holds the parts that its form needs
// (trainer/methods/knowledge/knowledge_tables.h). With the point q of a
// question and the vector t of an answer, the score is -|q - t| for
// translations, and -|q - t|^2 plus the bias of the anchor and that of the
// answer for the other forms.
//
// KnowledgeTables::Query() and KnowledgeModel compute the same numbers without
// LibTorch. A change of a formula here needs the same change there; the tests
// compare the two.
#include "trainer/methods/knowledge/knowledge_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>

#include <cmath>

namespace slice {
namespace {

using at::Tensor;

// Below any score, yet finite: infinite scores would make gradients NaN.
constexpr double kNoRival = -1e9;
constexpr double kNoWeight = 1e3;  // below other logits: no share of a softmax
// Keeps the gradient of a root finite.
constexpr double kLeastSquare = 1e-12;

int64_t DimOf(const Tensor& entities) { return entities.size(1) - 2; }
Tensor PointsOf(const Tensor& entities) {
  return entities.narrow(1, 0, DimOf(entities));
}
Tensor AnchorBias(const Tensor& entities) {
  return entities.select(1, DimOf(entities));
}
Tensor AnswerBias(const Tensor& entities) {
  return entities.select(1, DimOf(entities) + 1);
}

// Rotates each pair of coordinates of `points` [n, dim] by the angle of the
// same pair of `turns` [n, dim]; reflects it instead when `mirror` is set.
Tensor TurnPairs(const Tensor& turns, const Tensor& points, bool mirror) {
  const Tensor pairs = turns.view({turns.size(0), -1, 2});
  const Tensor length = pairs.square().sum(2).sqrt().clamp_min(1e-15);
  const Tensor cosine = pairs.select(2, 0) / length;
  const Tensor sine = pairs.select(2, 1) / length;
  const Tensor from = points.reshape({points.size(0), -1, 2});
  const Tensor x = from.select(2, 0), y = from.select(2, 1);
  const Tensor to_x = mirror ? cosine * x + sine * y : cosine * x - sine * y;
  const Tensor to_y = mirror ? sine * x - cosine * y : sine * x + cosine * y;
  return at::stack({to_x, to_y}, 2).view(points.sizes());
}

// The mean of `turned` and `mirrored`, weighted by the softmax of <attention,
// turned> / sqrt(dim) and <attention, mirrored> / sqrt(dim).
Tensor Attend(const Tensor& attention, const Tensor& turned,
              const Tensor& mirrored) {
  const double scale = 1 / std::sqrt(static_cast<double>(turned.size(1)));
  const Tensor logit =
      (attention * (turned - mirrored)).sum(1, /*keepdim=*/true) * scale;
  return at::lerp(mirrored, turned, at::sigmoid(logit).expand_as(turned));
}

// The score of a form, from `squares`: -|q - t|^2 plus any biases.
Tensor ScoreOf(KnowledgeForm form, const Tensor& squares) {
  if (form != KnowledgeForm::kTranslation) return squares;
  return -(-squares).clamp_min(kLeastSquare).sqrt();
}

}  // namespace

Tensor KnowledgeQueries(KnowledgeForm form, const Tensor& anchors,
                        const Tensor& relations, const Tensor& signs) {
  const int64_t dim = DimOf(anchors);
  const Tensor from = PointsOf(anchors);
  const auto part = [&](int64_t i) {
    return relations.narrow(1, i * dim, dim).contiguous();
  };
  switch (form) {
    case KnowledgeForm::kTranslation:
      return from + signs * relations;
    case KnowledgeForm::kRotation:
      return TurnPairs(part(1), from, false) + part(0);
    case KnowledgeForm::kReflection:
      return TurnPairs(part(1), from, true) + part(0);
    case KnowledgeForm::kProduct:
      return {};  // trainer/methods/knowledge/complex_batch.h
    case KnowledgeForm::kAttention:
      break;
  }
  return Attend(part(3), TurnPairs(part(1), from, false),
                TurnPairs(part(2), from, true)) +
         part(0);
}

Tensor AnswerScores(KnowledgeForm form, const Tensor& points,
                    const Tensor& anchors, const Tensor& answers) {
  const Tensor squares = (points - PointsOf(answers)).square().sum(1);
  if (form == KnowledgeForm::kTranslation) return ScoreOf(form, -squares);
  return AnchorBias(anchors) + AnswerBias(answers) - squares;
}

Tensor RivalScores(KnowledgeForm form, const Tensor& points,
                   const Tensor& anchors, const Tensor& rivals,
                   const Tensor& known) {
  // |q - t|^2 = |q|^2 + |t|^2 - 2 <q, t>, so that one matrix product gives all
  // scores.
  const Tensor ends = PointsOf(rivals);
  Tensor by_rival = -ends.square().sum(1);
  Tensor by_question = -points.square().sum(1);
  if (form != KnowledgeForm::kTranslation) {
    by_rival = by_rival + AnswerBias(rivals);
    by_question = by_question + AnchorBias(anchors);
  }
  Tensor squares =
      at::addmm(by_rival.unsqueeze(0), points, ends.t(), /*beta=*/1,
                /*alpha=*/2);
  squares.add_(by_question.unsqueeze(1));
  const Tensor scores = ScoreOf(form, squares);
  return scores.view({-1}).index_fill(0, known, kNoRival).view(scores.sizes());
}

Tensor SelfAdversarialLoss(const Tensor& answers, const Tensor& rivals,
                           double margin, double temperature) {
  Tensor logits = rivals.detach() * temperature;
  // At low temperatures known answers would have a weight.
  if (temperature * kNoRival > -kNoWeight) {
    logits.masked_fill_(rivals.detach() <= kNoRival, kNoRival);
  }
  const Tensor weights = at::softmax(logits, 1);
  // -log s(-x) = softplus(x).
  const Tensor of_rivals = (weights * at::softplus(rivals + margin)).sum();
  return (at::softplus(-answers - margin).sum() + of_rivals) / 2;
}

Tensor SoftmaxLoss(const Tensor& answers, const Tensor& rivals) {
  return (at::logaddexp(answers, at::logsumexp(rivals, 1)) - answers).sum();
}

}  // namespace slice
