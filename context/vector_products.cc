#include "context/vector_products.h"

#include "common/vectors.h"

namespace slice {
namespace {

template <VectorSet kSet, size_t kVectors>
SLICE_VECTOR_LOOP void DotProducts(const float* rows, size_t count, size_t rank,
                                   const float* vectors, float* products) {
  const size_t whole = rank - rank % kLanes<kSet>;
  for (size_t i = 0; i < count; ++i) {
    const float* row = rows + i * rank;
    Floats<kSet> sums[kVectors + 1] = {};
    for (size_t k = 0; k < whole; k += kLanes<kSet>) {
      const Floats<kSet> x = LoadFloats<kSet>(row + k);
      for (size_t v = 0; v < kVectors; ++v) {
        sums[v] += x * LoadFloats<kSet>(vectors + v * rank + k);
      }
      sums[kVectors] += x * x;
    }
    float* of_row = products + i * (kVectors + 1);
    for (size_t v = 0; v <= kVectors; ++v) {
      float sum = Sum(sums[v]);
      const float* other = v < kVectors ? vectors + v * rank : row;
      for (size_t k = whole; k < rank; ++k) sum += row[k] * other[k];
      of_row[v] = sum;
    }
  }
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void TwoProductsBody(const float* rows, size_t count,
                                       size_t rank, const float* vectors,
                                       float* products) {
  DotProducts<kSet, 2>(rows, count, rank, vectors, products);
}
SLICE_VECTOR_KERNEL(TwoOfEachRow, TwoProductsBody,
                    (const float* rows, size_t count, size_t rank,
                     const float* vectors, float* products),
                    (rows, count, rank, vectors, products))
template <VectorSet kSet>
SLICE_VECTOR_LOOP void ThreeProductsBody(const float* rows, size_t count,
                                         size_t rank, const float* vectors,
                                         float* products) {
  DotProducts<kSet, 3>(rows, count, rank, vectors, products);
}
SLICE_VECTOR_KERNEL(ThreeOfEachRow, ThreeProductsBody,
                    (const float* rows, size_t count, size_t rank,
                     const float* vectors, float* products),
                    (rows, count, rank, vectors, products))
template <VectorSet kSet>
SLICE_VECTOR_LOOP void FiveProductsBody(const float* rows, size_t count,
                                        size_t rank, const float* vectors,
                                        float* products) {
  DotProducts<kSet, 5>(rows, count, rank, vectors, products);
}
SLICE_VECTOR_KERNEL(FiveOfEachRow, FiveProductsBody,
                    (const float* rows, size_t count, size_t rank,
                     const float* vectors, float* products),
                    (rows, count, rank, vectors, products))

}  // namespace

void TwoProducts(const float* rows, size_t count, size_t rank,
                 const float* vectors, float* products) {
  TwoOfEachRow(rows, count, rank, vectors, products);
}

void ThreeProducts(const float* rows, size_t count, size_t rank,
                   const float* vectors, float* products) {
  ThreeOfEachRow(rows, count, rank, vectors, products);
}

void FiveProducts(const float* rows, size_t count, size_t rank,
                  const float* vectors, float* products) {
  FiveOfEachRow(rows, count, rank, vectors, products);
}

}  // namespace slice
