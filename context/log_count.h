// log(1 + n) for whole numbers n. A table holds the values of small n.
#ifndef SLICE_CONTEXT_LOG_COUNT_H_
#define SLICE_CONTEXT_LOG_COUNT_H_

#include <array>
#include <cmath>
#include <cstddef>

namespace slice {

inline double LogCount(size_t count) {
  constexpr size_t kTableSize = 4096;
  static const std::array<double, kTableSize> kTable = [] {
    std::array<double, kTableSize> table;
    for (size_t i = 0; i < kTableSize; ++i) {
      table[i] = std::log1p(static_cast<double>(i));
    }
    return table;
  }();
  return count < kTableSize ? kTable[count]
                            : std::log1p(static_cast<double>(count));
}

}  // namespace slice

#endif  // SLICE_CONTEXT_LOG_COUNT_H_
