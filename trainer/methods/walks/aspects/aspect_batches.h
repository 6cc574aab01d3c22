// Makes batches for asp2vec (trainer/methods/walks/aspects/aspect_skip_gram.h):
// windows of walks, with noise nodes and noise for the choice of an aspect.
#ifndef SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_BATCHES_H_
#define SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_BATCHES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "trainer/embedding/walk_source.h"
#include "trainer/methods/walks/aspects/aspect_skip_gram.h"

namespace slice {

struct AspectBatchOptions {
  size_t window = 3;     // context nodes on either side
  size_t negatives = 2;  // noise nodes for each context node
  size_t aspects = 5;
  uint64_t seed = 0;
};

// Thread-compatible. The source of walks must outlive it.
class AspectBatches {
 public:
  // Noise is drawn uniformly from `noise`. REQUIRES: `noise` is not empty.
  AspectBatches(const WalkSource& walks, std::vector<NodeId> noise,
                const AspectBatchOptions& options)
      : walks_(walks), noise_(std::move(noise)), options_(options) {}

  // The windows of one walk from each start: each node of a walk is the centre
  // of one, and the nodes around it are its context. A noise node that the
  // window has is left out. The windows of a walk depend on its start and
  // `round` alone. A walk of one node has no window, so that a batch may be
  // empty.
  AspectBatch Draw(std::span<const NodeId> starts, uint64_t round) const;

 private:
  void AddWindows(std::span<const NodeId> walk, Random& random,
                  AspectBatch& batch) const;

  const WalkSource& walks_;
  const std::vector<NodeId> noise_;
  const AspectBatchOptions options_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_BATCHES_H_
