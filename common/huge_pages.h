// Fewer address translations for large tables that are read at random.
#ifndef SLICE_COMMON_HUGE_PAGES_H_
#define SLICE_COMMON_HUGE_PAGES_H_

#include <cstddef>
#include <vector>

namespace slice {

// Asks the kernel to back this memory with huge pages. Only pages that have not
// been touched yet become huge. Does nothing for a small range, or where the
// kernel has no huge pages.
void AdviseHugePages(void* data, size_t bytes);

// Reserves room for `size` values in an empty vector, in huge pages where that
// helps.
template <typename Value>
void ReserveHugePages(size_t size, std::vector<Value>* vector) {
  vector->reserve(size);
  AdviseHugePages(vector->data(), size * sizeof(Value));
}

}  // namespace slice

#endif  // SLICE_COMMON_HUGE_PAGES_H_
