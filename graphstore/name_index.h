// An index of the keys and names of a graph's nodes: exact look-ups, prefixes
// and near misses.
#ifndef SLICE_GRAPHSTORE_NAME_INDEX_H_
#define SLICE_GRAPHSTORE_NAME_INDEX_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/did_you_mean.h"
#include "common/near_miss.h"
#include "common/text_signature.h"
#include "graphstore/gram_index.h"
#include "graphstore/graph_data.h"

namespace slice {

// Immutable; thread-safe. Keeps a pointer to the catalogue, which must outlive
// the index. Memory per node: 8 to 16 bytes for the keys, and about 90 bytes
// for the rest, not counting the bytes of long names.
class NameIndex {
 public:
  explicit NameIndex(const GraphCatalogue* catalogue);

  // The node whose key is exactly `key`. O(1).
  std::optional<NodeId> FindKey(std::string_view key) const;

  // The nodes with this name, in ascending order; when there is none, those
  // whose name differs from it in case (ASCII) alone. `type` restricts the
  // search to a node type.
  std::vector<NodeId> FindName(
      std::string_view name,
      std::optional<NodeTypeId> type = std::nullopt) const;

  // Nodes whose name starts with `prefix` in any ASCII case, sorted by
  // (lower-case name, id): at most `limit` of them, from position `offset` on.
  // `type` restricts the search to a node type.
  std::vector<NodeId> FindPrefix(std::string_view prefix,
                                 std::optional<NodeTypeId> type, size_t offset,
                                 size_t limit) const;

  // Up to `limit` names or keys that are similar to `text`: by a shared start,
  // by containment or by edit distance. The time is bounded: when very many
  // names share the grams of `text`, the most similar ones may be missed.
  std::vector<std::string> NearMisses(std::string_view text,
                                      size_t limit = kSuggestions) const;

 private:
  struct NodeSignature {
    TextSignature name, key;  // key: no text when it equals the name
  };

  void AddKey(NodeId node);
  // The position in by_name_ of the first name that does not sort before
  // `lower`.
  size_t PlaceOf(std::string_view lower) const;
  void OfferNeighbors(std::string_view lower, NearMissSearch& search) const;
  void OfferSimilar(std::string_view lower, NearMissSearch& search) const;
  // The slot of by_key_ where the search for `key` begins.
  size_t FirstSlot(std::string_view key) const;

  const GraphCatalogue* const catalogue_;
  // A hash table with open addressing: a node is in the slot of its key's hash
  // or in the next free one after it. Free slots hold kNoNode. The number of
  // slots is a power of two, and at least half of them are free.
  std::vector<NodeId> by_key_;
  std::vector<NodeId> by_name_;            // sorted by (lower-case name, id)
  std::vector<std::string> folded_;        // lower-case names, by id
  std::vector<NodeSignature> signatures_;  // by id
  GramIndex grams_;  // of lower-case names and keys, by id
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NAME_INDEX_H_
