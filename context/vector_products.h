// Dot products of the rows of a table with a few vectors.
#ifndef SLICE_CONTEXT_VECTOR_PRODUCTS_H_
#define SLICE_CONTEXT_VECTOR_PRODUCTS_H_

#include <cstddef>

namespace slice {

// For each of `count` rows of `rank` numbers, computes its dot products with
// two, three or five vectors, which lie end to end, and with itself: `products`
// is [count, vectors + 1].
void TwoProducts(const float* rows, size_t count, size_t rank,
                 const float* vectors, float* products);
void ThreeProducts(const float* rows, size_t count, size_t rank,
                   const float* vectors, float* products);
void FiveProducts(const float* rows, size_t count, size_t rank,
                  const float* vectors, float* products);

}  // namespace slice

#endif  // SLICE_CONTEXT_VECTOR_PRODUCTS_H_
