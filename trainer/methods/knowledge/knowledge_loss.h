// The formulas that knowledge graph embeddings are trained by. Of any floating
// type; gradients flow through all of them. LibTorch's exceptions pass.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_

#include <ATen/core/Tensor.h>

#include "trainer/methods/knowledge/knowledge_tables.h"

namespace slice {

// The points of questions, [n, dim]. `anchors` are rows of entities [n, dim +
// 2]; `relations` [n, relation width]; `signs` [n, 1] those of the ways.
at::Tensor KnowledgeQueries(KnowledgeForm form, const at::Tensor& anchors,
                            const at::Tensor& relations,
                            const at::Tensor& signs);

// Scores [n] of one answer each. `points` [n, dim]; `anchors` and `answers` are
// rows of entities [n, dim + 2].
at::Tensor AnswerScores(KnowledgeForm form, const at::Tensor& points,
                        const at::Tensor& anchors, const at::Tensor& answers);

// Scores [n, m] of the same rivals, rows of entities [m, dim + 2], for all
// questions; where `known` (positions in the flattened scores, int64) says that
// a rival is a true answer, so little that it does not count.
at::Tensor RivalScores(KnowledgeForm form, const at::Tensor& points,
                       const at::Tensor& anchors, const at::Tensor& rivals,
                       const at::Tensor& known);

// Sums over the questions, of the scores of answers [n] and rivals [n, m].
//
// Sun et al. (ICLR 2019, eq. 5 and 6), halved:
//   -log s(margin + f) - sum_j p_j log s(-margin - f_j),
//   p = softmax(temperature f_1 .. f_m), taken as constants
at::Tensor SelfAdversarialLoss(const at::Tensor& answers,
                               const at::Tensor& rivals, double margin,
                               double temperature);
// -log of the softmax of the answer among itself and its rivals.
at::Tensor SoftmaxLoss(const at::Tensor& answers, const at::Tensor& rivals);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_
