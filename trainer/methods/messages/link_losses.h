// The losses of networks that give every node a vector.
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

// Cross-entropy of scores [links]: the mean over the first `positives`, which
// are links, and the mean over the others, which are none.
at::Tensor BalancedCrossEntropy(const at::Tensor& scores, int64_t positives);

// [positives, candidates], bool: which of the candidates, in the place that
// `asked` says, would make a train link of a positive.
at::Tensor KnownAnswers(const GraphSnapshot& snapshot,
                        std::span<const Link> positives,
                        std::span<const NodeId> candidates, Direction asked);

// The mean of -log of the share that an answer has among itself and the
// candidates that are not `known` [queries, candidates]: softmax of the dot
// products of queries [queries, dim] with candidates [candidates, dim];
// `answers` [queries] are those of the answers.
at::Tensor CandidateSoftmax(const at::Tensor& queries,
                            const at::Tensor& candidates,
                            const at::Tensor& answers, const at::Tensor& known);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_LINK_LOSSES_H_
