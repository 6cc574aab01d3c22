#include "common/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace slice {

void AdviseHugePages(void* data, size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (begin + bytes) / kHugePage * kHugePage;
  // A refusal costs only speed.
  if (first < end) {
    (void)::madvise(static_cast<char*>(data) + (first - begin), end - first,
                    MADV_HUGEPAGE);
  }
#endif
}

}  // namespace slice
