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
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "graphstore/graph_data.h"
#include "graphstore/types.h"

namespace slice {

// A value type; immutable. The fold of a link is a hash, so that nothing is
// stored per link.
class LinkFolds {
 public:
  enum class Unit : uint8_t { kPair, kLink };

  // Folds by the ids of nodes and relations.
  LinkFolds(int fold_count, uint64_t seed, Unit unit = Unit::kPair)
      : fold_count_(fold_count), seed_(seed), unit_(unit) {}

  // Folds by the keys of nodes and the names of relations. A link has the same
  // fold in every graph, however that numbers its nodes.
  static LinkFolds ByKey(int fold_count, uint64_t seed, Unit unit,
                         const GraphCatalogue& catalogue) {
    LinkFolds folds(fold_count, seed, unit);
    auto numbers = std::make_shared<Numbers>();
    for (const NodeRecord& node : catalogue.nodes)
      numbers->nodes.push_back(HashBytes(node.key));
    for (const std::string& relation : catalogue.relations)
      numbers->relations.push_back(HashBytes(relation));
    folds.numbers_ = std::move(numbers);
    return folds;
  }

  int fold_count() const { return fold_count_; }
  Unit unit() const { return unit_; }

  // In [0, fold_count).
  int FoldOf(const Link& link) const {
    if (unit_ == Unit::kPair) return FoldOfPair(link.source, link.target);
    return At(CombineHash(Ends(link.source, link.target),
                          numbers_ == nullptr
                              ? link.relation
                              : numbers_->relations[link.relation]));
  }

  // The fold of every link between `a` and `b`. REQUIRES: unit() is kPair.
  int FoldOfPair(NodeId a, NodeId b) const {
    assert(unit_ == Unit::kPair);
    if (numbers_ != nullptr && numbers_->nodes[a] > numbers_->nodes[b]) {
      return At(Ends(b, a));
    }
    return numbers_ != nullptr ? At(Ends(a, b))
                               : At(Ends(std::min(a, b), std::max(a, b)));
  }

 private:
  // The numbers by which nodes and relations are hashed.
  struct Numbers {
    std::vector<uint64_t> nodes, relations;
  };

  uint64_t Ends(NodeId first, NodeId second) const {
    if (numbers_ == nullptr) return (uint64_t{first} << 32) | second;
    return CombineHash(numbers_->nodes[first], numbers_->nodes[second]);
  }
  int At(uint64_t unit) const {
    return static_cast<int>(CombineHash(seed_, unit) %
                            static_cast<uint64_t>(fold_count_));
  }

  int fold_count_;
  uint64_t seed_;
  Unit unit_;
  std::shared_ptr<const Numbers> numbers_;  // null: ids
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_FOLDS_H_
