// The scores and losses that knowledge graph embeddings are trained with, for
// any floating type and all forms but kProduct. Gradients flow through all of
// them. Throws c10::Error.
//
// A question asks from a known end, its anchor, for the other end of a link. It
// has one answer. The rivals are other nodes, which the answer must outscore.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_

#include <ATen/core/Tensor.h>

#include "trainer/methods/knowledge/knowledge_tables.h"

namespace slice {

// The points [n, dim] near which the answers of n questions should lie.
// `anchors` are rows of entities [n, dim + 2], `relations` rows of relations
// [n, relation width], and `signs` [n, 1] the signs of the rows of relations.
at::Tensor KnowledgeQueries(KnowledgeForm form, const at::Tensor& anchors,
                            const at::Tensor& relations,
                            const at::Tensor& signs);

// The scores [n] of one answer per question. `points` are [n, dim]; `anchors`
// and `answers` are rows of entities [n, dim + 2].
at::Tensor AnswerScores(KnowledgeForm form, const at::Tensor& points,
                        const at::Tensor& anchors, const at::Tensor& answers);

// The scores [n, m] of m rivals, which all n questions share. `rivals` are rows
// of entities [m, dim + 2]. `known` (int64) lists the rivals that are true
// answers, as positions in the flattened scores; their scores become so low
// that they do not count.
at::Tensor RivalScores(KnowledgeForm form, const at::Tensor& points,
                       const at::Tensor& anchors, const at::Tensor& rivals,
                       const at::Tensor& known);

// The losses below are sums over the questions, from the scores of answers [n]
// and of rivals [n, m].
//
// Half of the loss of Sun et al. (ICLR 2019, eq. 5 and 6), with the sigmoid s,
// the score f of the answer and the scores f_j of the rivals:
//   -log s(margin + f) - sum_j p_j log s(-margin - f_j),
//   p = softmax(temperature f_1 .. f_m), taken as constants
at::Tensor SelfAdversarialLoss(const at::Tensor& answers,
                               const at::Tensor& rivals, double margin,
                               double temperature);
// -log of the share of the answer in a softmax over the answer and its rivals.
at::Tensor SoftmaxLoss(const at::Tensor& answers, const at::Tensor& rivals);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LOSS_H_
