// Two orders of the arcs make all loops free of races. Sums into the
// destinations go row by row: a row holds the arcs into one destination. The
// gradients of the sources' values go column by column
// (MessageBlock::column_arcs): a column holds the arcs out of one source.
// ForRows() (trainer/methods/messages/row_pieces.h) shares rows or columns
// among threads, so that one thread owns each sum.
//
// Arcs jump between rows of a table that is far larger than the cache. The
// loops therefore prefetch the row that they need kPrefetchAhead arcs later.
//
// SLICE_VECTOR_VARIANTS compiles the float sums and dot products for several
// vector instruction sets and chooses one at run time.
#include "trainer/methods/messages/arc_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "common/prefetch.h"
#include "common/vector_variants.h"
#include "trainer/methods/messages/row_pieces.h"

namespace slice {
namespace {

constexpr uint64_t kPrefetchAhead = 4;  // arcs
constexpr size_t kBytesPerCacheLine = 64;

template <typename T>
struct SumArguments {
  const MessageBlock* block;
  ArcShape shape;
  const T* weights;
  const T* input;
  T* output;

  size_t value_row() const { return shape.value_heads * shape.width; }
  size_t sum_row() const { return shape.heads * shape.width; }
  // The distance in `input` from one head to the next: 0 when all heads share
  // the values.
  size_t value_step() const { return shape.value_heads == 1 ? 0 : shape.width; }
};

template <typename T>
SLICE_VECTOR_LOOP void PrefetchRow(const T* row, size_t size) {
  const char* const bytes = reinterpret_cast<const char*>(row);
  for (size_t at = 0; at < size * sizeof(T); at += kBytesPerCacheLine) {
    PrefetchToRead(bytes + at);
  }
}

template <typename T>
SLICE_VECTOR_LOOP void SumRowsBody(const SumArguments<T>& a, size_t begin,
                                   size_t end) {
  const MessageBlock& block = *a.block;
  const size_t heads = a.shape.heads, width = a.shape.width;
  const uint64_t last = block.row_start[end];
  for (size_t row = begin; row < end; ++row) {
    T* const sums = a.output + row * a.sum_row();
    std::fill(sums, sums + a.sum_row(), T{0});
    for (uint64_t arc = block.row_start[row]; arc < block.row_start[row + 1];
         ++arc) {
      if (arc + kPrefetchAhead < last) {
        PrefetchRow(
            a.input + block.source[arc + kPrefetchAhead] * a.value_row(),
            a.value_row());
      }
      const T* const values = a.input + block.source[arc] * a.value_row();
      for (size_t h = 0; h < heads; ++h) {
        AddScaled(values + h * a.value_step(), a.weights[arc * heads + h],
                  width, sums + h * width);
      }
    }
  }
}

template <typename T>
SLICE_VECTOR_LOOP void SumColumnsBody(const SumArguments<T>& a, size_t begin,
                                      size_t end) {
  const MessageBlock& block = *a.block;
  const size_t heads = a.shape.heads, width = a.shape.width;
  const uint64_t last = block.column_start[end];
  for (size_t column = begin; column < end; ++column) {
    T* const sums = a.output + column * a.value_row();
    std::fill(sums, sums + a.value_row(), T{0});
    for (uint64_t i = block.column_start[column];
         i < block.column_start[column + 1]; ++i) {
      if (i + kPrefetchAhead < last) {
        PrefetchRow(
            a.input + block.destination[block.column_arcs[i + kPrefetchAhead]] *
                          a.sum_row(),
            a.sum_row());
      }
      const uint32_t arc = block.column_arcs[i];
      const T* const from = a.input + block.destination[arc] * a.sum_row();
      for (size_t h = 0; h < heads; ++h) {
        AddScaled(from + h * width, a.weights[arc * heads + h], width,
                  sums + h * a.value_step());
      }
    }
  }
}

// Computes the gradient of each weight as a dot product. Here `weights` holds
// the values, `input` the gradients of the sums, and `output` receives the
// gradients of the weights.
template <typename T>
SLICE_VECTOR_LOOP void DotRowsBody(const SumArguments<T>& a, size_t begin,
                                   size_t end) {
  const MessageBlock& block = *a.block;
  const size_t heads = a.shape.heads, width = a.shape.width;
  for (size_t row = begin; row < end; ++row) {
    const T* const gradients = a.input + row * a.sum_row();
    for (uint64_t arc = block.row_start[row]; arc < block.row_start[row + 1];
         ++arc) {
      const T* const values = a.weights + block.source[arc] * a.value_row();
      for (size_t h = 0; h < heads; ++h) {
        const T* const x = values + h * a.value_step();
        const T* const g = gradients + h * width;
        T dot = 0;
        for (size_t k = 0; k < width; ++k) dot += g[k] * x[k];
        a.output[arc * heads + h] = dot;
      }
    }
  }
}

#define SLICE_ARC_KERNEL(name, body, T)                                       \
  SLICE_VECTOR_VARIANTS(name, body,                                           \
                        (const SumArguments<T>& a, size_t begin, size_t end), \
                        (a, begin, end))
SLICE_ARC_KERNEL(SumRowsFloat, SumRowsBody<float>, float)
SLICE_ARC_KERNEL(SumColumnsFloat, SumColumnsBody<float>, float)
SLICE_ARC_KERNEL(DotRowsFloat, DotRowsBody<float>, float)
#undef SLICE_ARC_KERNEL

// double is used only to check gradients, so it needs no variants.
void SumRows(const SumArguments<float>& a, size_t begin, size_t end) {
  SumRowsFloat(a, begin, end);
}
void SumRows(const SumArguments<double>& a, size_t begin, size_t end) {
  SumRowsBody(a, begin, end);
}
void SumColumns(const SumArguments<float>& a, size_t begin, size_t end) {
  SumColumnsFloat(a, begin, end);
}
void SumColumns(const SumArguments<double>& a, size_t begin, size_t end) {
  SumColumnsBody(a, begin, end);
}
void DotRows(const SumArguments<float>& a, size_t begin, size_t end) {
  DotRowsFloat(a, begin, end);
}
void DotRows(const SumArguments<double>& a, size_t begin, size_t end) {
  DotRowsBody(a, begin, end);
}

}  // namespace

template <typename T>
void SumArcs(const MessageBlock& block, const ArcShape& shape, const T* weights,
             const T* values, T* sums) {
  const SumArguments<T> arguments{&block, shape, weights, values, sums};
  ForRows(block.row_start,
          [&](size_t begin, size_t end) { SumRows(arguments, begin, end); });
}

template <typename T>
void SumArcsBack(const MessageBlock& block, const ArcShape& shape,
                 const T* weights, const T* sum_gradients, T* value_gradients) {
  const SumArguments<T> arguments{&block, shape, weights, sum_gradients,
                                  value_gradients};
  ForRows(block.column_start,
          [&](size_t begin, size_t end) { SumColumns(arguments, begin, end); });
}

template <typename T>
void DotArcs(const MessageBlock& block, const ArcShape& shape,
             const T* sum_gradients, const T* values, T* weight_gradients) {
  const SumArguments<T> arguments{&block, shape, values, sum_gradients,
                                  weight_gradients};
  ForRows(block.row_start,
          [&](size_t begin, size_t end) { DotRows(arguments, begin, end); });
}

template <typename T>
void SoftmaxArcs(const MessageBlock& block, size_t heads, const T* scores,
                 T* shares) {
  ForRows(block.row_start, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const size_t from = block.row_start[row] * heads;
      const size_t to = block.row_start[row + 1] * heads;
      for (size_t h = 0; h < heads; ++h) {
        T most = -std::numeric_limits<T>::infinity(), sum = 0;
        for (size_t i = from + h; i < to; i += heads) {
          most = std::max(most, scores[i]);
        }
        for (size_t i = from + h; i < to; i += heads) {
          shares[i] = std::exp(scores[i] - most);
          sum += shares[i];
        }
        for (size_t i = from + h; i < to; i += heads) shares[i] /= sum;
      }
    }
  });
}

template <typename T>
void SoftmaxArcsBack(const MessageBlock& block, size_t heads, const T* shares,
                     const T* share_gradients, T* score_gradients) {
  ForRows(block.row_start, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const size_t from = block.row_start[row] * heads;
      const size_t to = block.row_start[row + 1] * heads;
      for (size_t h = 0; h < heads; ++h) {
        T mean = 0;
        for (size_t i = from + h; i < to; i += heads) {
          mean += shares[i] * share_gradients[i];
        }
        for (size_t i = from + h; i < to; i += heads) {
          score_gradients[i] = shares[i] * (share_gradients[i] - mean);
        }
      }
    }
  });
}

template <typename T>
void AddRowsByIndex(std::span<const uint32_t> index, size_t row_count,
                    size_t width, const T* rows, T* sums) {
  std::vector<uint64_t> start(row_count + 1, 0);
  for (const uint32_t row : index) ++start[row + 1];
  for (size_t i = 1; i <= row_count; ++i) start[i] += start[i - 1];
  std::vector<uint64_t> next(start.begin(), start.end() - 1);
  std::vector<uint32_t> order(index.size());
  for (uint32_t i = 0; i < index.size(); ++i) order[next[index[i]]++] = i;
  ForRows(start, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      T* const to = sums + row * width;
      std::fill(to, to + width, T{0});
      for (uint64_t i = start[row]; i < start[row + 1]; ++i) {
        AddScaled(rows + order[i] * width, T{1}, width, to);
      }
    }
  });
}

#define SLICE_FOR_TYPE(T)                                                   \
  template void SumArcs(const MessageBlock&, const ArcShape&, const T*,     \
                        const T*, T*);                                      \
  template void SumArcsBack(const MessageBlock&, const ArcShape&, const T*, \
                            const T*, T*);                                  \
  template void DotArcs(const MessageBlock&, const ArcShape&, const T*,     \
                        const T*, T*);                                      \
  template void SoftmaxArcs(const MessageBlock&, size_t, const T*, T*);     \
  template void SoftmaxArcsBack(const MessageBlock&, size_t, const T*,      \
                                const T*, T*);                              \
  template void AddRowsByIndex(std::span<const uint32_t>, size_t, size_t,   \
                               const T*, T*);
SLICE_FOR_TYPE(float)
SLICE_FOR_TYPE(double)
#undef SLICE_FOR_TYPE

}  // namespace slice
