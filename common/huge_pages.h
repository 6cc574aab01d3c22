// Fewer address translations for large tables that are read at random.
#ifndef SLICE_COMMON_HUGE_PAGES_H_
#define SLICE_COMMON_HUGE_PAGES_H_

#include <cstddef>
#include <vector>

namespace slice {

// Asks the kernel to back this memory with huge pages; works on pages that have
// not been touched yet. Does nothing for small ranges or where there are none.
void AdviseHugePages(void* data, size_t bytes);

// Makes room in an empty vector, in huge pages where that helps.
template <typename Value>
void ReserveHugePages(size_t size, std::vector<Value>* vector) {
  vector->reserve(size);
  AdviseHugePages(vector->data(), size * sizeof(Value));
}

}  // namespace slice

#endif  // SLICE_COMMON_HUGE_PAGES_H_
