// Splits a batch of contexts of different lengths into calls of the network.
// Each call pads its contexts only to the longest among them.
#ifndef SLICE_MODEL_LENGTH_BUCKETS_H_
#define SLICE_MODEL_LENGTH_BUCKETS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// Returns the rows of each call. Short rows come before long ones, both within
// a call and from call to call. The split minimises the sum over the calls of
//   call_cost + (rows of the call) * (length of its longest row).
// `row_tokens` are the lengths of the rows in tokens, 0 or more. `call_cost` is
// the part of a call's cost that does not depend on its rows, in tokens. Takes
// O(rows log rows + (number of different lengths)^2).
std::vector<std::vector<int64_t>> LengthBuckets(
    std::span<const int64_t> row_tokens, int64_t call_cost);

}  // namespace slice

#endif  // SLICE_MODEL_LENGTH_BUCKETS_H_
