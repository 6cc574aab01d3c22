// The pair features that tell of one end alone, of all nodes at once: for a
// relation they are the same in every question.
#ifndef SLICE_CONTEXT_END_FEATURES_H_
#define SLICE_CONTEXT_END_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/mutex.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Which of an encoder's pair features tell of one end alone. Immutable.
class EndColumns {
 public:
  explicit EndColumns(const LinkEncoder& encoder);

  // Copies those of an end (kOut: the source) from one row of all features to
  // the packed values of a node, and back.
  void Pack(std::span<const float> row, std::span<float> packed) const;
  void Unpack(std::span<const float> packed, Direction end,
              std::span<float> row) const;

  size_t feature_count() const { return feature_count_; }
  // Values of a node as source and as target together.
  size_t packed_count() const { return packed_begin_[2]; }

 private:
  // A run of columns.
  struct Run {
    size_t begin, size;
  };
  size_t feature_count_;
  std::vector<Run> runs_[2];  // of sources, of targets
  size_t packed_begin_[3];    // of each in the packed values, and their end
};

// Of one relation. Immutable; thread-safe.
class EndFeatures {
 public:
  // O(nodes of the graph) evaluations of pair features, by so many threads.
  EndFeatures(const GraphSnapshot& snapshot, const LinkEncoder& encoder,
              const EndColumns& columns, RelationId relation, int threads);

  // Writes the scaled features of `node` as the source (kOut) or target (kIn)
  // of the relation into a row of all features.
  void CopyTo(NodeId node, Direction end, std::span<float> row) const {
    columns_->Unpack(std::span(packed_).subspan(node * columns_->packed_count(),
                                                columns_->packed_count()),
                     end, row);
  }
  // The relation's links of `node` in that place, and of all nodes.
  uint32_t links(NodeId node, Direction end) const {
    return links_[static_cast<size_t>(end)][node];
  }
  double relation_links() const { return relation_links_; }

  // What it takes: 4 bytes for each packed value and 8 more, for each node.
  size_t bytes() const;

 private:
  const EndColumns* columns_;
  std::vector<float> packed_;  // [nodes, packed values]
  std::vector<uint32_t> links_[2];
  double relation_links_ = 0;
};

// Keeps those of the relations asked for last. Thread-safe.
class EndFeatureCache {
 public:
  // Both must outlive it. Keeps at least one relation, and no more than fit
  // into `max_bytes`.
  EndFeatureCache(const GraphSnapshot& snapshot, const LinkEncoder& encoder,
                  size_t max_bytes);

  // Makes them, with so many threads, when they are not kept.
  std::shared_ptr<const EndFeatures> Get(RelationId relation, int threads);

  const EndColumns& columns() const { return columns_; }

 private:
  using Entry = std::pair<RelationId, std::shared_ptr<const EndFeatures>>;
  std::shared_ptr<const EndFeatures> Find(RelationId relation);

  const GraphSnapshot* const snapshot_;
  const LinkEncoder* const encoder_;
  const EndColumns columns_;
  const size_t max_bytes_;

  Mutex mutex_;
  std::list<Entry> kept_ ABSL_GUARDED_BY(mutex_);  // asked for last first
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_FEATURES_H_
