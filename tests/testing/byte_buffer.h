// Messages as the network brings them.
#ifndef SLICE_TESTS_TESTING_BYTE_BUFFER_H_
#define SLICE_TESTS_TESTING_BYTE_BUFFER_H_

#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slice {

// A buffer of pieces of `piece` bytes.
inline grpc::ByteBuffer BufferOf(const std::string& text,
                                 size_t piece = SIZE_MAX) {
  std::vector<grpc::Slice> slices;
  for (size_t at = 0; at < text.size(); at += piece) {
    slices.emplace_back(text.substr(at, piece));
    if (piece > text.size()) break;
  }
  return grpc::ByteBuffer(slices.data(), slices.size());
}

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_BYTE_BUFFER_H_
