#include "model/length_buckets.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace slice {

std::vector<std::vector<int64_t>> LengthBuckets(
    std::span<const int64_t> row_tokens, int64_t call_cost) {
  std::vector<int64_t> rows(row_tokens.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::stable_sort(rows, {},
                           [&](int64_t row) { return row_tokens[row]; });
  // ends[i]: how many rows are at most as long as the i-th different length. In
  // an optimal split a call has either all rows of a length or none.
  std::vector<size_t> ends;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool last =
        i + 1 == rows.size() || row_tokens[rows[i]] < row_tokens[rows[i + 1]];
    if (last) ends.push_back(i + 1);
  }
  // best[i]: the least cost of the rows of the first i lengths. start[i]: the
  // length at which the last call of this cheapest split begins.
  std::vector<int64_t> best(ends.size() + 1, 0);
  std::vector<size_t> start(ends.size() + 1, 0);
  for (size_t i = 1; i <= ends.size(); ++i) {
    best[i] = std::numeric_limits<int64_t>::max();
    const int64_t longest = row_tokens[rows[ends[i - 1] - 1]];
    for (size_t j = 0; j < i; ++j) {
      const size_t begin = j == 0 ? 0 : ends[j - 1];
      const auto count = static_cast<int64_t>(ends[i - 1] - begin);
      const int64_t cost = best[j] + call_cost + count * longest;
      if (cost < best[i]) {
        best[i] = cost;
        start[i] = j;
      }
    }
  }
  std::vector<std::vector<int64_t>> buckets;
  for (size_t i = ends.size(); i > 0; i = start[i]) {
    const size_t begin = start[i] == 0 ? 0 : ends[start[i] - 1];
    buckets.emplace_back(rows.begin() + static_cast<int64_t>(begin),
                         rows.begin() + static_cast<int64_t>(ends[i - 1]));
  }
  std::ranges::reverse(buckets);
  return buckets;
}

}  // namespace slice
