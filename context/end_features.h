// End features: the pair features that describe one end of a link alone, such
// as its degree. They are computed for every node of the graph as either end of
// one relation. No link is hidden, so all questions about the relation share
// them.
#ifndef SLICE_CONTEXT_END_FEATURES_H_
#define SLICE_CONTEXT_END_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_columns.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// The scaled end features of one relation. Immutable; thread-safe.
class EndFeatures {
 public:
  // Evaluates the pair features once per node, on `threads` threads. `columns`
  // must outlive the object.
  EndFeatures(const GraphSnapshot& snapshot, const LinkEncoder& encoder,
              const EndColumns& columns, RelationId relation, int threads);

  // Writes the features of `node` as the source (kOut) or target (kIn) into
  // their columns of `row`, a row of all pair features.
  void CopyTo(NodeId node, Direction end, std::span<float> row) const {
    columns_->Unpack(std::span(packed_).subspan(node * columns_->packed_count(),
                                                columns_->packed_count()),
                     end, row);
  }
  // How many links of the relation have `node` as the source (kOut) or target
  // (kIn).
  uint32_t links(NodeId node, Direction end) const {
    return links_[static_cast<size_t>(end)][node];
  }
  // How many links the relation has.
  double relation_links() const { return relation_links_; }

  // Memory: per node 4 bytes for each packed value and 8 bytes for the counts.
  size_t bytes() const;

 private:
  const EndColumns* columns_;
  std::vector<float> packed_;       // [nodes, packed values]
  std::vector<uint32_t> links_[2];  // by Direction: [nodes]
  double relation_links_ = 0;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_FEATURES_H_
