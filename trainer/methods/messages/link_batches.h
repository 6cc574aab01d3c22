// Splits train links into batches. While a batch is scored, no link between the
// two ends of one of its positives carries a message.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_LINK_BATCHES_H_
#define SLICE_TRAINER_METHODS_MESSAGES_LINK_BATCHES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/methods/messages/message_graph.h"

namespace slice {

// Some train links and negatives made from them. The positives come first, then
// the negatives in the order of their positives.
struct LinkBatch {
  std::vector<Link> links;
  size_t positives = 0;
};

// One pass over the train links. The links are split into parts by pair. Each
// step scores one part, whose links carry no message in that step. All links of
// a pair are in one part, so that no network can recognise a positive by an arc
// between its ends. Immutable; thread-safe.
class LinkParts {
 public:
  // `sampler` must outlive it. REQUIRES: parts > 0.
  LinkParts(const GraphSnapshot& snapshot, const NegativeSampler& sampler,
            int parts, uint64_t seed);

  int count() const { return folds_.fold_count(); }
  HiddenLinks Hidden(int part) const { return {&folds_, part}; }
  std::span<const Link> Positives(int part) const {
    return {links_.data() + start_[static_cast<size_t>(part)],
            links_.data() + start_[static_cast<size_t>(part) + 1]};
  }
  // The links of a part, with `negatives` negatives for each positive.
  LinkBatch Batch(int part, int negatives, int threads) const;

 private:
  const NegativeSampler& sampler_;
  const LinkFolds folds_;
  const uint64_t seed_;
  std::vector<uint64_t> start_;  // [parts + 1]
  std::vector<Link> links_;      // by part
};

// The distinct ends of the links of a batch and some further nodes, and the
// position of each end among them.
struct LinkEnds {
  // The nodes of `more` come first. REQUIRES: they are distinct.
  static LinkEnds Of(const LinkBatch& batch, std::span<const NodeId> more);

  std::vector<NodeId> nodes;
  std::vector<uint32_t> sources, targets;  // [links], positions in `nodes`
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_LINK_BATCHES_H_
