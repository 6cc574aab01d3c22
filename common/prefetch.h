// Fetching memory into the cache ahead of its use.
#ifndef SLICE_COMMON_PREFETCH_H_
#define SLICE_COMMON_PREFETCH_H_

namespace slice {

// The empty asm statement keeps the call. GCC takes a function that does
// nothing but prefetch for one without effect, and drops the calls that it does
// not inline.
inline void PrefetchToRead(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}
inline void PrefetchToWrite(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

}  // namespace slice

#endif  // SLICE_COMMON_PREFETCH_H_
