// Huge pages, which save address translations where a large table is read at
// random.
#ifndef SLICE_COMMON_HUGE_PAGES_H_
#define SLICE_COMMON_HUGE_PAGES_H_

#include <cstddef>
#include <vector>

namespace slice {

// Asks the kernel to back the `bytes` bytes at `data` with huge pages. Only
// memory that has not been touched yet gets them. Does nothing when no whole
// huge page (2 MiB) lies in the range, or where the kernel has no huge pages.
void AdviseHugePages(void* data, size_t bytes);

// Reserves room for `size` values in an empty vector, and calls AdviseHugePages
// for that room.
template <typename Value>
void ReserveHugePages(size_t size, std::vector<Value>* vector) {
  vector->reserve(size);
  AdviseHugePages(vector->data(), size * sizeof(Value));
}

}  // namespace slice

#endif  // SLICE_COMMON_HUGE_PAGES_H_
