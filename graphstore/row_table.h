// The rows of all nodes, in versions that share what did not change.
#ifndef SLICE_GRAPHSTORE_ROW_TABLE_H_
#define SLICE_GRAPHSTORE_ROW_TABLE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "graphstore/types.h"

namespace slice {

// A Block holds rows one after the other. The base block holds the rows of all
// nodes that the first version has, by id. Rows that changed since are in small
// blocks, of kBlockRows nodes each, which pages of pointers lead to. A version
// without changes has no pages, so that its look-ups cost one comparison more
// than those of a plain array.
//
// A changed block is copied, with the rows in it that stay. So a version holds
// no row that it does not need, except in the base: see OffBase.
//
// Immutable; thread-safe. Copies share their blocks and pages.
template <typename Block>
class RowTable {
 public:
  static constexpr size_t kBlockRows = 4;

  // Where the row of a node is. Valid as long as the table, or a copy.
  struct Place {
    const Block* block;
    size_t row;
  };
  // The block of the rows of the nodes [first, end). The rows of `changed` are
  // new, the others are those of this table.
  using Make = absl::FunctionRef<std::shared_ptr<const Block>(
      NodeId first, NodeId end, std::span<const NodeId> changed)>;

  RowTable() = default;
  explicit RowTable(std::shared_ptr<const Block> base)
      : base_(std::move(base)) {}

  // REQUIRES: the node is in the base block or was changed.
  Place Find(NodeId node) const {
    if (!pages_.empty()) [[unlikely]] {
      if (const Page* const page = pages_[node / kPageRows].get()) {
        const Block* const block = (*page)[node % kPageRows / kBlockRows].get();
        if (block != nullptr) return {block, node % kBlockRows};
      }
    }
    return {base_.get(), node};
  }

  // The table in which the rows of `nodes` are new. They ascend and are below
  // `node_count`; all nodes that this table lacks are among them.
  RowTable With(std::span<const NodeId> nodes, size_t node_count,
                Make make) const {
    RowTable changed = *this;
    changed.pages_.resize((node_count + kPageRows - 1) / kPageRows);
    size_t page = changed.pages_.size();  // that `copy` replaces
    std::shared_ptr<Page> copy;
    for (size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
      const NodeId block = nodes[begin] / kBlockRows;
      while (end < nodes.size() && nodes[end] / kBlockRows == block) ++end;
      if (nodes[begin] / kPageRows != page) {
        page = nodes[begin] / kPageRows;
        copy = changed.CopyPage(page);
      }
      changed.Put(*copy, block, node_count, nodes.subspan(begin, end - begin),
                  make);
    }
    return changed;
  }

  // The same rows. When a quarter of them have left the base, up to
  // `most_pages` pages more leave it; when all have, the base is let go. So a
  // table that was called this for each version needs not much more room than
  // its rows.
  RowTable OffBase(size_t node_count, size_t most_pages, Make make) const {
    RowTable moved = *this;
    if (base_ == nullptr || blocks_ * kBlockRows * 4 < node_count) return moved;
    const size_t end =
        std::min(pages_.size() - off_base_, most_pages) + off_base_;
    for (; moved.off_base_ < end; ++moved.off_base_) {
      const auto copy = moved.CopyPage(moved.off_base_);
      for (size_t i = 0; i < kPageBlocks; ++i) {
        const size_t block = moved.off_base_ * kPageBlocks + i;
        if ((*copy)[i] == nullptr && block * kBlockRows < node_count)
          moved.Put(*copy, static_cast<NodeId>(block), node_count, {}, make);
      }
    }
    if (moved.off_base_ == pages_.size()) moved.base_ = nullptr;
    return moved;
  }

 private:
  static constexpr size_t kPageRows = 256;
  static constexpr size_t kPageBlocks = kPageRows / kBlockRows;

  // A null pointer: the rows are in the base block.
  using Page = std::array<std::shared_ptr<const Block>, kPageBlocks>;

  // Puts a copy of the page in its place.
  std::shared_ptr<Page> CopyPage(size_t page) {
    auto copy = pages_[page] == nullptr ? std::make_shared<Page>()
                                        : std::make_shared<Page>(*pages_[page]);
    pages_[page] = copy;
    return copy;
  }

  void Put(Page& page, NodeId block, size_t node_count,
           std::span<const NodeId> changed, Make make) {
    const size_t first = size_t{block} * kBlockRows;
    auto& place = page[block % kPageBlocks];
    blocks_ += place == nullptr;
    place = make(static_cast<NodeId>(first),
                 static_cast<NodeId>(std::min(first + kBlockRows, node_count)),
                 changed);
  }

  std::shared_ptr<const Block> base_;
  // Of kPageRows nodes each; null where no row of a page has changed.
  std::vector<std::shared_ptr<const Page>> pages_;
  size_t blocks_ = 0;    // in all pages
  size_t off_base_ = 0;  // the pages before this one are complete
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROW_TABLE_H_
