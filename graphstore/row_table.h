// The rows of all nodes, in versions that share what did not change.
#ifndef SLICE_GRAPHSTORE_ROW_TABLE_H_
#define SLICE_GRAPHSTORE_ROW_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// A Block holds rows one after the other. The base block holds the rows of all
// nodes that the first version has, by id. Rows that changed since are in
// blocks of their own, which pages of references lead to. A version without
// changes has no pages, so that its look-ups cost one comparison more than
// those of a plain array.
//
// Immutable; thread-safe. Copies share their blocks and pages.
template <typename Block>
class RowTable {
 public:
  // Where the row of a node is. Valid as long as the table, or a copy.
  struct Place {
    const Block* block;
    size_t row;
  };

  RowTable() = default;
  explicit RowTable(std::shared_ptr<const Block> base)
      : base_(std::move(base)) {}

  // REQUIRES: the node is in the base block or was changed.
  Place Find(NodeId node) const {
    if (!pages_.empty()) [[unlikely]] {
      if (const Page* const page = pages_[node / kPageRows].get()) {
        const Reference& row = (*page)[node % kPageRows];
        if (row.block != nullptr) return {row.block.get(), row.row};
      }
    }
    return {base_.get(), node};
  }

  // The table with row i of `block` as the row of nodes[i]. `nodes` ascend and
  // are below `node_count`. Copies the pages of references to these nodes.
  RowTable With(std::span<const NodeId> nodes,
                const std::shared_ptr<const Block>& block,
                size_t node_count) const {
    RowTable changed = *this;
    changed.pages_.resize((node_count + kPageRows - 1) / kPageRows);
    size_t page = changed.pages_.size();  // that `copy` replaces
    std::shared_ptr<Page> copy;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i] / kPageRows != page) {
        page = nodes[i] / kPageRows;
        const auto& before = changed.pages_[page];
        copy = before == nullptr ? std::make_shared<Page>()
                                 : std::make_shared<Page>(*before);
        changed.pages_[page] = copy;
      }
      (*copy)[nodes[i] % kPageRows] = {block, static_cast<uint32_t>(i)};
    }
    return changed;
  }

 private:
  static constexpr size_t kPageRows = 256;

  struct Reference {
    std::shared_ptr<const Block> block;  // null: the row is in the base block
    uint32_t row = 0;
  };
  using Page = std::array<Reference, kPageRows>;

  std::shared_ptr<const Block> base_;
  // Of kPageRows nodes each; null where no row of a page has changed.
  std::vector<std::shared_ptr<const Page>> pages_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROW_TABLE_H_
