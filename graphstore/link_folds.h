// A split of all links into folds by the unordered pair of their ends, so that
// every link between two nodes lies in one fold and no fold can reveal a pair
// of another.
#ifndef SLICE_GRAPHSTORE_LINK_FOLDS_H_
#define SLICE_GRAPHSTORE_LINK_FOLDS_H_

#include <algorithm>
#include <cstdint>

#include "common/random.h"
#include "graphstore/types.h"

namespace slice {

// A value type; immutable. Nothing is stored per link: the fold is a hash of
// the pair.
class LinkFolds {
 public:
  LinkFolds(int fold_count, uint64_t seed)
      : fold_count_(fold_count), seed_(seed) {}

  int fold_count() const { return fold_count_; }

  // The fold of every link between `a` and `b`, in [0, fold_count).
  int FoldOf(NodeId a, NodeId b) const {
    const uint64_t pair = (uint64_t{std::min(a, b)} << 32) | std::max(a, b);
    return static_cast<int>(CombineHash(seed_, pair) %
                            static_cast<uint64_t>(fold_count_));
  }

 private:
  int fold_count_;
  uint64_t seed_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_FOLDS_H_
