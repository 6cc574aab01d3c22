// Splits a batch of contexts of different lengths into calls of the network.
// Each call pads its contexts only to the longest among them.
#ifndef SLICE_MODEL_LENGTH_BUCKETS_H_
#define SLICE_MODEL_LENGTH_BUCKETS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// The rows of each call: short rows before long ones, within a call and between
// calls. The split has the least possible sum of (call_cost + rows x longest
// row) over the calls. `row_tokens` are the lengths of the rows, not negative;
// `call_cost` is the cost of a call by itself, in padded tokens. O(rows log
// rows + (number of different lengths)^2).
std::vector<std::vector<int64_t>> LengthBuckets(
    std::span<const int64_t> row_tokens, int64_t call_cost);

}  // namespace slice

#endif  // SLICE_MODEL_LENGTH_BUCKETS_H_
