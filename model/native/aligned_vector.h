// Arrays that vector instructions read and write.
#ifndef SLICE_MODEL_NATIVE_ALIGNED_VECTOR_H_
#define SLICE_MODEL_NATIVE_ALIGNED_VECTOR_H_

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace slice {

// Rows of activations and weights are padded to a multiple of this many floats:
// the floats of the widest vector (common/vectors.h).
inline constexpr size_t kRowPadding = 16;

// An allocator that begins arrays at a cache line, so that no aligned vector
// lies in two lines. resize() leaves new numbers uninitialised: callers write
// them before they read them.
template <typename T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT: a conversion

  T* allocate(size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kLine));
  }
  void deallocate(T* memory, size_t /*count*/) {
    ::operator delete(memory, kLine);
  }
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  bool operator==(const AlignedAllocator&) const { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_ALIGNED_VECTOR_H_
