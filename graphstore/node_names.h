// The keys and names of a graph's nodes in versions: exact look-ups, prefixes
// and near misses.
#ifndef SLICE_GRAPHSTORE_NODE_NAMES_H_
#define SLICE_GRAPHSTORE_NODE_NAMES_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/did_you_mean.h"
#include "graphstore/name_index.h"
#include "graphstore/node_block.h"
#include "graphstore/types.h"

namespace slice {

// The nodes that a name stands for.
struct Namesakes {
  std::vector<NodeId> nodes;  // some of them, ascending
  size_t count = 0;           // of all
  // When not, nodes may be counted that have changed meanwhile.
  bool is_exact = true;
};

// The base has an index of all nodes. Nodes that changed since are in tiers, of
// which a later one takes precedence. A tier joins the one before it when it is
// at least half as large, so that there are few.
//
// Immutable; thread-safe. Copies share their tiers.
class NodeNames {
 public:
  NodeNames() = default;
  // Row i of the block is node i.
  explicit NodeNames(std::shared_ptr<const NodeBlock> base);

  // The node whose key is exactly `key`. O(1) for each tier.
  std::optional<NodeId> FindKey(std::string_view key) const;

  // The removed node that had this key; nothing while a node has it.
  std::optional<NodeId> FindRemovedKey(std::string_view key) const;

  // The nodes with this name, at most `limit` of them; when there is none,
  // those whose name differs from it in case (ASCII) alone. `type` restricts
  // the search to a node type. The time does not depend on how many there are,
  // but on how many of them have changed or were removed since the base.
  Namesakes FindName(std::string_view name,
                     std::optional<NodeTypeId> type = std::nullopt,
                     size_t limit = kListedNamesakes) const;
  static constexpr size_t kListedNamesakes = 5;

  // Nodes whose name starts with `prefix` in any ASCII case, sorted by
  // (lower-case name, type, name, id): at most `limit` of them, from position
  // `offset` on. `type` restricts the search to a node type.
  std::vector<NodeId> FindPrefix(std::string_view prefix,
                                 std::optional<NodeTypeId> type, size_t offset,
                                 size_t limit) const;

  // Up to `limit` names or keys that are similar to `text`, best first
  // (NameIndex::OfferSimilar). `type` restricts the search to a node type.
  std::vector<std::string> NearMisses(
      std::string_view text, size_t limit = kSuggestions,
      std::optional<NodeTypeId> type = std::nullopt) const;

  // The names after changes: row i of `block` is nodes[i] now. `nodes` ascend.
  NodeNames With(std::span<const NodeId> nodes,
                 std::shared_ptr<const NodeBlock> block) const;

 private:
  struct Tier {
    Tier(std::vector<NodeId> ids, std::shared_ptr<const NodeBlock> block);

    bool Has(NodeId node) const;
    NodeId IdOf(uint32_t row) const { return ids.empty() ? row : ids[row]; }

    const std::vector<NodeId> ids;  // of the rows; empty: a row is the id
    const std::shared_ptr<const NodeBlock> block;
    const NameIndex index;
  };
  using TierPointer = std::shared_ptr<const Tier>;

  // Whether a row of a tier is what the node is now.
  bool IsCurrent(size_t tier, uint32_t row) const;
  Namesakes Find(const WantedName& wanted, size_t limit) const;
  // Calls visit(NodeId, const NodeRecord&) for the current nodes whose
  // lower-case name starts with `lower`, in the order of FindPrefix, until it
  // returns false.
  template <typename Visit>
  void ForEachFrom(std::string_view lower, Visit visit) const;
  static TierPointer Joined(const Tier& before, const Tier& after);

  std::vector<TierPointer> tiers_;  // the base, then the oldest first
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_NAMES_H_
