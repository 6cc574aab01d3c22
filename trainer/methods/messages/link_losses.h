// The losses of networks that compute a vector for every node.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_LINK_LOSSES_H_
#define SLICE_TRAINER_METHODS_MESSAGES_LINK_LOSSES_H_

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "graphstore/graph_snapshot.h"
#include "trainer/methods/messages/link_batches.h"

namespace slice {

// The cross-entropy of scores [links]: its mean over the first `positives`
// scores, which are those of links, plus its mean over the remaining scores,
// which are those of negatives.
at::Tensor BalancedCrossEntropy(const at::Tensor& scores, int64_t positives);

// [positives, candidates] bool: whether the graph has the link that the
// candidate makes as the answer to the question about a positive. `direction`
// is that of the questions (context/end_question.h).
at::Tensor KnownAnswers(const GraphSnapshot& snapshot,
                        std::span<const Link> positives,
                        std::span<const NodeId> candidates,
                        Direction direction);

// The mean over the queries of -log of the share of the answer in a softmax
// over the answer and all candidates that are not `known` [queries,
// candidates]. The scores of candidates are dot products of queries [queries,
// dim] with candidates [candidates, dim]; `answers` [queries] are the scores of
// the answers.
at::Tensor CandidateSoftmax(const at::Tensor& queries,
                            const at::Tensor& candidates,
                            const at::Tensor& answers, const at::Tensor& known);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_LINK_LOSSES_H_
