// Several arrays in one allocation.
#ifndef SLICE_GRAPHSTORE_PACKED_BYTES_H_
#define SLICE_GRAPHSTORE_PACKED_BYTES_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace slice {

class PackedBytes {
 public:
  PackedBytes() = default;
  explicit PackedBytes(size_t size) : bytes_(new std::byte[size]) {}

  // Copies the array behind the ones before it. REQUIRES: the arrays come by
  // falling size of an element, and fit.
  template <typename T>
  const T* Add(const std::vector<T>& values) {
    std::byte* const place = bytes_.get() + used_;
    if (!values.empty())
      std::memcpy(place, values.data(), values.size() * sizeof(T));
    used_ += values.size() * sizeof(T);
    return reinterpret_cast<const T*>(place);
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  size_t used_ = 0;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_PACKED_BYTES_H_
