// The scores and losses that knowledge graph embeddings are trained with, for
// any floating type. Gradients flow through all of them. Throws c10::Error.
//
// A question has one answer. Its rivals are other nodes, which the answer must
// outscore.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_

#include <ATen/core/Tensor.h>

#include "trainer/methods/knowledge/knowledge_tables.h"

namespace slice {

// The points [n, dim] where the answers of questions should lie. `anchors` are
// rows of entities [n, dim + 2], `relations` rows of relations [n, relation
// width], and `signs` [n, 1] the signs of these rows.
at::Tensor KnowledgeQueries(KnowledgeForm form, const at::Tensor& anchors,
                            const at::Tensor& relations,
                            const at::Tensor& signs);

// The scores [n] of one answer per question. `points` are [n, dim]; `anchors`
// and `answers` are rows of entities [n, dim + 2].
at::Tensor AnswerScores(KnowledgeForm form, const at::Tensor& points,
                        const at::Tensor& anchors, const at::Tensor& answers);

// The scores [n, m] of the same rivals for all questions. `rivals` are rows of
// entities [m, dim + 2]. `known` lists the positions, in the flattened scores
// (int64), of rivals that are true answers; their scores become so low that
// they do not count.
at::Tensor RivalScores(KnowledgeForm form, const at::Tensor& points,
                       const at::Tensor& anchors, const at::Tensor& rivals,
                       const at::Tensor& known);

// The losses below are sums over the questions, from the scores of answers [n]
// and of rivals [n, m].
//
// Half of the loss of Sun et al. (ICLR 2019, eq. 5 and 6), with s = sigmoid:
//   -log s(margin + f) - sum_j p_j log s(-margin - f_j),
//   p = softmax(temperature f_1 .. f_m), taken as constants
at::Tensor SelfAdversarialLoss(const at::Tensor& answers,
                               const at::Tensor& rivals, double margin,
                               double temperature);
// -log of the share of the answer in the softmax over itself and its rivals.
at::Tensor SoftmaxLoss(const at::Tensor& answers, const at::Tensor& rivals);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_
