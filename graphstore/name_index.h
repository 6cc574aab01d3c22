// An index of the keys and names of a list of nodes: look-ups of keys, the
// order of names, and near misses.
#ifndef SLICE_GRAPHSTORE_NAME_INDEX_H_
#define SLICE_GRAPHSTORE_NAME_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "common/near_miss.h"
#include "common/text_signature.h"
#include "graphstore/gram_index.h"
#include "graphstore/graph_data.h"

namespace slice {

// What is asked of a name.
struct WantedName {
  std::string_view lower;  // the name in lower case (ASCII)
  std::optional<NodeTypeId> type = std::nullopt;
  // The name as it is spelled; nothing: in any case.
  std::optional<std::string_view> spelled = std::nullopt;
};

// Immutable; thread-safe. A row is the position of a node in the list. Memory
// per node: 8 to 16 bytes for the keys, and about 90 bytes for the rest, not
// counting the bytes of long names.
class NameIndex {
 public:
  // The list must outlive the index. Its keys are unique. The nodes for which
  // `removed` is true are found by their keys alone; it may be empty.
  explicit NameIndex(std::span<const NodeRecord> nodes,
                     const std::vector<bool>& removed = {});

  // The row of the node whose key is exactly `key`. O(1).
  std::optional<uint32_t> FindKey(std::string_view key) const;

  // The rows in the order of (lower-case name, type, name, row).
  std::span<const uint32_t> by_name() const { return by_name_; }
  // The position in by_name() of the first name that does not sort before
  // `lower`.
  size_t PlaceOf(std::string_view lower) const;
  // Calls visit(rows) for the parts of by_name() that have the name: one of
  // each type at most. O(log n) for each of these types.
  using VisitRows = absl::FunctionRef<void(std::span<const uint32_t> rows)>;
  void ForEachNamed(const WantedName& wanted, VisitRows visit) const;
  // The name of a row of by_name() in lower case (ASCII).
  const std::string& LowerName(uint32_t row) const { return folded_[row]; }

  // Offers the names and keys that are similar to the lower-case text of
  // `search`: by a shared start, by containment or by edit distance. Leaves out
  // the rows that `accept` refuses. The time is bounded: when very many names
  // share the grams of the text, the most similar ones may be missed.
  using Accept = absl::FunctionRef<bool(uint32_t row)>;
  void OfferSimilar(std::string_view lower, Accept accept,
                    NearMissSearch& search) const;

 private:
  static constexpr uint32_t kNoRow = UINT32_MAX;

  struct NodeSignature {
    TextSignature name, key;  // key: no text when it equals the name
  };

  void AddKey(uint32_t row);
  void OfferNeighbors(std::string_view lower, Accept accept,
                      NearMissSearch& search) const;
  void OfferByGrams(std::string_view lower, Accept accept,
                    NearMissSearch& search) const;
  // The slot of by_key_ where the search for `key` begins.
  size_t FirstSlot(std::string_view key) const;

  const std::span<const NodeRecord> nodes_;
  // A hash table with open addressing: a row is in the slot of its key's hash
  // or in the next free one after it. Free slots hold kNoRow. The number of
  // slots is a power of two, and at least half of them are free.
  std::vector<uint32_t> by_key_;
  std::vector<uint32_t> by_name_;
  // By row; nothing for removed nodes.
  std::vector<std::string> folded_;  // lower-case names
  std::vector<NodeSignature> signatures_;
  GramIndex grams_;  // of lower-case names and keys
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NAME_INDEX_H_
