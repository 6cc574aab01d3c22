// Three loops share the arcs in three ways, so that one thread owns each sum:
// the messages by destination, the gradients of values by source
// (MessageBlock::column_arcs), and the gradients of labels by slices of
// kSliceWidth numbers, each over all arcs.
//
// SLICE_VECTOR_VARIANTS compiles the float loops for several vector instruction
// sets and chooses one at run time.
#include "trainer/methods/messages/compose_kernels.h"

#include <algorithm>

#include "common/vector_variants.h"
#include "trainer/methods/messages/row_pieces.h"

namespace slice {
namespace {

constexpr size_t kSliceWidth = 64;  // numbers of a label in one slice

// to += weight * (values - labels), or to += weight * values * labels.
template <typename T>
SLICE_VECTOR_LOOP void AddComposed(Composition composition, T weight,
                                   const T* __restrict values,
                                   const T* __restrict labels, size_t width,
                                   T* __restrict to) {
  if (composition == Composition::kDifference) {
    for (size_t k = 0; k < width; ++k)
      to[k] += weight * (values[k] - labels[k]);
  } else {
    for (size_t k = 0; k < width; ++k) to[k] += weight * values[k] * labels[k];
  }
}

template <typename T>
SLICE_VECTOR_LOOP void SumBody(const ComposeArguments<T>& a, size_t begin,
                               size_t end, T* output) {
  const MessageBlock& block = *a.block;
  for (size_t row = begin; row < end; ++row) {
    T* const sums = output + row * kDirections * a.width;
    std::fill(sums, sums + kDirections * a.width, T{0});
    for (uint64_t arc = block.row_start[row]; arc < block.row_start[row + 1];
         ++arc) {
      const uint32_t label = block.label[arc];
      AddComposed(a.composition, a.weights[arc],
                  a.values + block.source[arc] * a.width,
                  a.labels + label * a.width, a.width,
                  sums + label % kDirections * a.width);
    }
  }
}

template <typename T>
SLICE_VECTOR_LOOP void BackValuesBody(const ComposeArguments<T>& a,
                                      size_t begin, size_t end, T* output) {
  const MessageBlock& block = *a.block;
  for (size_t column = begin; column < end; ++column) {
    T* const sums = output + column * a.width;
    std::fill(sums, sums + a.width, T{0});
    for (uint64_t i = block.column_start[column];
         i < block.column_start[column + 1]; ++i) {
      const uint32_t arc = block.column_arcs[i];
      const uint32_t label = block.label[arc];
      const T* const from =
          a.gradients +
          (block.destination[arc] * kDirections + label % kDirections) *
              a.width;
      const T weight = a.weights[arc];
      if (a.composition == Composition::kDifference) {
        AddScaled(from, weight, a.width, sums);
      } else {
        AddComposed(Composition::kProduct, weight, from,
                    a.labels + label * a.width, a.width, sums);
      }
    }
  }
}

// Sums the numbers [begin, end) of every label. Each task takes a slice of the
// numbers, not a part of the labels, because one label may have nearly all
// arcs.
template <typename T>
SLICE_VECTOR_LOOP void BackLabelsBody(const ComposeArguments<T>& a,
                                      size_t begin, size_t end, T* output) {
  const MessageBlock& block = *a.block;
  const size_t width = end - begin;
  for (size_t label = 0; label < a.label_count; ++label) {
    std::fill_n(output + label * a.width + begin, width, T{0});
  }
  for (size_t row = 0; row < block.destination_count; ++row) {
    const T* const gradients =
        a.gradients + row * kDirections * a.width + begin;
    for (uint64_t arc = block.row_start[row]; arc < block.row_start[row + 1];
         ++arc) {
      const uint32_t label = block.label[arc];
      const T* const from = gradients + label % kDirections * a.width;
      T* const to = output + label * a.width + begin;
      const T weight = a.weights[arc];
      if (a.composition == Composition::kDifference) {
        AddScaled(from, -weight, width, to);
      } else {
        AddComposed(Composition::kProduct, weight, from,
                    a.values + block.source[arc] * a.width + begin, width, to);
      }
    }
  }
}

#define SLICE_COMPOSE_KERNEL(name, body)                                 \
  SLICE_VECTOR_VARIANTS(name##Float, body<float>,                        \
                        (const ComposeArguments<float>& a, size_t begin, \
                         size_t end, float* output),                     \
                        (a, begin, end, output))                         \
  void name(const ComposeArguments<float>& a, size_t begin, size_t end,  \
            float* output) {                                             \
    name##Float(a, begin, end, output);                                  \
  }                                                                      \
  /* double is used only to check gradients, so it needs no variants. */ \
  void name(const ComposeArguments<double>& a, size_t begin, size_t end, \
            double* output) {                                            \
    body<double>(a, begin, end, output);                                 \
  }
SLICE_COMPOSE_KERNEL(Sum, SumBody)
SLICE_COMPOSE_KERNEL(BackValues, BackValuesBody)
SLICE_COMPOSE_KERNEL(BackLabels, BackLabelsBody)
#undef SLICE_COMPOSE_KERNEL

}  // namespace

template <typename T>
void SumComposed(const ComposeArguments<T>& arguments, T* sums) {
  ForRows(arguments.block->row_start,
          [&](size_t begin, size_t end) { Sum(arguments, begin, end, sums); });
}

template <typename T>
void SumComposedBackValues(const ComposeArguments<T>& arguments,
                           T* value_gradients) {
  ForRows(arguments.block->column_start, [&](size_t begin, size_t end) {
    BackValues(arguments, begin, end, value_gradients);
  });
}

template <typename T>
void SumComposedBackLabels(const ComposeArguments<T>& arguments,
                           T* label_gradients) {
  const size_t slices = (arguments.width + kSliceWidth - 1) / kSliceWidth;
  at::parallel_for(
      0, static_cast<int64_t>(slices), 1, [&](int64_t from, int64_t to) {
        for (auto i = static_cast<size_t>(from); i < static_cast<size_t>(to);
             ++i) {
          BackLabels(arguments, i * kSliceWidth,
                     std::min(arguments.width, (i + 1) * kSliceWidth),
                     label_gradients);
        }
      });
}

#define SLICE_FOR_TYPE(T)                                              \
  template void SumComposed(const ComposeArguments<T>&, T*);           \
  template void SumComposedBackValues(const ComposeArguments<T>&, T*); \
  template void SumComposedBackLabels(const ComposeArguments<T>&, T*);
SLICE_FOR_TYPE(float)
SLICE_FOR_TYPE(double)
#undef SLICE_FOR_TYPE

}  // namespace slice
