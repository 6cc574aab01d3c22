// A split of all links into folds, either by pair or by link.
//
// By pair (the two ends without their order), all links between two nodes lie
// in one fold, so that no fold can reveal a pair of another fold. By link, the
// links between two nodes mostly lie in different folds. When one of them is
// held back, the others remain, as they do for a model that may see the other
// links of the queried pair.
#ifndef SLICE_GRAPHSTORE_LINK_FOLDS_H_
#define SLICE_GRAPHSTORE_LINK_FOLDS_H_

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "common/random.h"
#include "graphstore/types.h"

namespace slice {

// A value type; immutable. The fold of a link is a hash, so that nothing is
// stored per link.
class LinkFolds {
 public:
  enum class Unit : uint8_t { kPair, kLink };

  LinkFolds(int fold_count, uint64_t seed, Unit unit = Unit::kPair)
      : fold_count_(fold_count), seed_(seed), unit_(unit) {}

  int fold_count() const { return fold_count_; }
  Unit unit() const { return unit_; }

  // In [0, fold_count).
  int FoldOf(const Link& link) const {
    if (unit_ == Unit::kPair) return FoldOfPair(link.source, link.target);
    const uint64_t ends = (uint64_t{link.source} << 32) | link.target;
    return At(CombineHash(ends, link.relation));
  }

  // The fold of every link between `a` and `b`. REQUIRES: unit() is kPair.
  int FoldOfPair(NodeId a, NodeId b) const {
    assert(unit_ == Unit::kPair);
    return At((uint64_t{std::min(a, b)} << 32) | std::max(a, b));
  }

 private:
  int At(uint64_t unit) const {
    return static_cast<int>(CombineHash(seed_, unit) %
                            static_cast<uint64_t>(fold_count_));
  }

  int fold_count_;
  uint64_t seed_;
  Unit unit_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_FOLDS_H_
