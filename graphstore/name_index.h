// From what a person types to nodes: keys, names, `type:name`, prefixes and
// near misses.
#ifndef SLICE_GRAPHSTORE_NAME_INDEX_H_
#define SLICE_GRAPHSTORE_NAME_INDEX_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/gram_index.h"
#include "graphstore/graph_data.h"
#include "graphstore/near_miss.h"

namespace slice {

// Immutable; thread-safe. Keeps a pointer to the catalogue, which must outlive
// it. Takes 8 to 16 bytes a node for the keys, and about 90 and the bytes of
// long names for the rest.
class NameIndex {
 public:
  explicit NameIndex(const GraphCatalogue* catalogue);

  // The node whose key is exactly `key`. O(1).
  std::optional<NodeId> FindKey(std::string_view key) const;

  // The one node called `name`, in this case or, when there is none, in any
  // ASCII case; `type` narrows it (empty = any), and so does a
  // `type:` prefix of the name when that is a known type. NOT_FOUND with up to
  // `suggestions` near misses named; FAILED_PRECONDITION when several nodes
  // have the name, listing their keys (at most five, then a count).
  absl::StatusOr<NodeId> FindName(std::string_view name,
                                  std::string_view type = {},
                                  size_t suggestions = kSuggestions) const;

  // The node meant by `text`: an exact key first, then a name, then either
  // behind a `type:` prefix. Errors as FindName.
  absl::StatusOr<NodeId> Resolve(std::string_view text,
                                 std::string_view type = {},
                                 size_t suggestions = kSuggestions) const;

  // Nodes whose name starts with `prefix` (case-insensitive), sorted by (name,
  // id), from position `offset` on, at most `limit`; `type` narrows (empty =
  // any).
  std::vector<NodeId> FindPrefix(std::string_view prefix, std::string_view type,
                                 size_t offset, size_t limit) const;

  // Up to `limit` names or keys near to `text`: by shared prefix, containment
  // and edit distance. The time is bounded: where very many names have all in
  // common that can be looked up, nearer ones may be missed.
  std::vector<std::string> NearMisses(std::string_view text,
                                      size_t limit = kSuggestions) const;

 private:
  struct TypedText {
    NodeTypeId type;
    std::string_view rest;
  };
  struct NodeSignature {
    TextSignature name, key;  // key: only where it differs from the name
  };

  void AddKey(NodeId node);
  // Position in by_name_ of the first name that is not before `lower`.
  size_t PlaceOf(std::string_view lower) const;
  void OfferNeighbors(std::string_view lower, NearMissSearch& search) const;
  void OfferSimilar(std::string_view lower, NearMissSearch& search) const;
  // Where the search for `key` begins.
  size_t FirstSlot(std::string_view key) const;
  std::vector<NodeId> NodesCalled(std::string_view name,
                                  std::optional<NodeTypeId> type) const;
  std::optional<TypedText> SplitType(std::string_view text) const;

  const GraphCatalogue* const catalogue_;
  // By the hash of the key, or in the next free slot: kNoNode. A power of two
  // of slots, at least half of them free.
  std::vector<NodeId> by_key_;
  std::vector<NodeId> by_name_;            // sorted by (lower-case name, id)
  std::vector<std::string> folded_;        // lower-case names, by id
  std::vector<NodeSignature> signatures_;  // by id
  GramIndex grams_;                        // of names and keys, by id
};

// Up to `limit` of `candidates` nearest to `text`, best first; for relations,
// types and flags.
std::vector<std::string> NearestStrings(
    std::string_view text, const std::vector<std::string>& candidates,
    size_t limit = kSuggestions);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NAME_INDEX_H_
