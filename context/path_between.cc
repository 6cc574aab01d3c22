#include "context/path_between.h"

#include <array>
#include <cmath>

namespace slice {

int64_t SpecificityCost(size_t degree) {
  constexpr double kScale = 1 << 20;
  constexpr size_t kTableSize = 2048;
  static const std::array<int64_t, kTableSize> kTable = [] {
    std::array<int64_t, kTableSize> table;
    for (size_t i = 0; i < kTableSize; ++i) {
      table[i] = std::llround(std::log1p(static_cast<double>(i)) * kScale);
    }
    return table;
  }();
  if (degree < kTableSize) return kTable[degree];
  return std::llround(std::log1p(static_cast<double>(degree)) * kScale);
}

}  // namespace slice
