// Which columns of a row of pair features describe one end of the link alone.
#ifndef SLICE_CONTEXT_END_COLUMNS_H_
#define SLICE_CONTEXT_END_COLUMNS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "context/link_encoder.h"
#include "graphstore/types.h"

namespace slice {

// Copies the columns that describe one end alone out of a row and back.
// Immutable; thread-safe.
class EndColumns {
 public:
  explicit EndColumns(const LinkEncoder& encoder);

  // Copies the columns of both ends from a row of all features to
  // packed_count() packed values: first those of the source, then those of the
  // target.
  void Pack(std::span<const float> row, std::span<float> packed) const;
  // Copies the packed columns of one end (kOut: the source) back into a row.
  void Unpack(std::span<const float> packed, Direction end,
              std::span<float> row) const;

  size_t feature_count() const { return feature_count_; }
  size_t packed_count() const { return packed_begin_[2]; }

 private:
  // A range of consecutive columns.
  struct Run {
    size_t begin, size;
  };
  size_t feature_count_;
  std::vector<Run> runs_[2];  // of the source, of the target
  // Where the source's packed values begin, where the target's, and the end.
  size_t packed_begin_[3];
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_COLUMNS_H_
