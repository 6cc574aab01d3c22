// How a batch of contexts of different lengths is split into calls of the
// network that each pad to their own longest.
#ifndef SLICE_MODEL_LENGTH_BUCKETS_H_
#define SLICE_MODEL_LENGTH_BUCKETS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// The rows of each call, by length within a call, short calls first. The sum of
// (call_cost + rows x longest row) over the calls is the least there is:
// `call_cost` is what a call costs by itself, in padded tokens. `row_tokens`
// are the lengths of the rows, none of them negative. O(rows log rows +
// lengths^2).
std::vector<std::vector<int64_t>> LengthBuckets(
    std::span<const int64_t> row_tokens, int64_t call_cost);

}  // namespace slice

#endif  // SLICE_MODEL_LENGTH_BUCKETS_H_
