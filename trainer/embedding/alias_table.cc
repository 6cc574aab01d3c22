#include "trainer/embedding/alias_table.h"

#include <cstddef>
#include <limits>
#include <numeric>

namespace slice {

void FillAliasCells(std::span<const double> weights,
                    std::span<AliasCell> cells) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double scale = static_cast<double>(weights.size()) / total;
  std::vector<double> scaled(weights.size());
  std::vector<uint32_t> small, large;
  for (uint32_t i = 0; i < weights.size(); ++i) {
    scaled[i] = weights[i] * scale;
    (scaled[i] < 1 ? small : large).push_back(i);
    cells[i] = {std::numeric_limits<uint32_t>::max(), i};
  }
  // A weight below the mean fills only a part of its cell. The rest of the cell
  // goes to an index whose weight is above the mean.
  while (!small.empty() && !large.empty()) {
    const uint32_t low = small.back();
    const uint32_t high = large.back();
    small.pop_back();
    cells[low] = {static_cast<uint32_t>(scaled[low] * 0x1.0p32), high};
    scaled[high] -= 1 - scaled[low];
    if (scaled[high] < 1) {
      large.pop_back();
      small.push_back(high);
    }
  }
}

}  // namespace slice
