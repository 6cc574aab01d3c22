// Shares the rows of a block among threads, for loops over arcs.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_ROW_PIECES_H_
#define SLICE_TRAINER_METHODS_MESSAGES_ROW_PIECES_H_

#include <ATen/Parallel.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/vector_variants.h"

namespace slice {

// Calls body(begin, end) for pieces of the rows that `start` [rows + 1]
// delimits, on the threads of LibTorch. Each piece has about the same number of
// arcs. The pieces do not depend on the number of threads.
template <typename Body>
void ForRows(std::span<const uint64_t> start, const Body& body) {
  constexpr int64_t kPieces = 64;
  const size_t rows = start.size() - 1;
  const auto row_at = [&](int64_t piece) {
    if (piece == 0) return size_t{0};
    if (piece == kPieces) return rows;
    // A row counts as one more arc, because rows without arcs cost time as
    // well.
    const uint64_t work = (start[rows] + rows) * static_cast<uint64_t>(piece) /
                          static_cast<uint64_t>(kPieces);
    size_t low = 0, high = rows;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      start[middle] + middle < work ? low = middle + 1 : high = middle;
    }
    return low;
  };
  at::parallel_for(0, kPieces, 1, [&](int64_t begin, int64_t end) {
    body(row_at(begin), row_at(end));
  });
}

// to += factor * from.
template <typename T>
SLICE_VECTOR_LOOP void AddScaled(const T* __restrict from, T factor,
                                 size_t size, T* __restrict to) {
  for (size_t k = 0; k < size; ++k) to[k] += factor * from[k];
}

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_ROW_PIECES_H_
