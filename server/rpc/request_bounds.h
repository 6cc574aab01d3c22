// Finds requests that are too large before they are parsed. An empty link has
// two bytes and takes a hundred in memory; a field that the server does not
// know has two and takes sixteen. So a request of few megabytes could take
// hundreds.
#ifndef SLICE_SERVER_RPC_REQUEST_BOUNDS_H_
#define SLICE_SERVER_RPC_REQUEST_BOUNDS_H_

#include <google/protobuf/descriptor.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>

#include "absl/status/status.h"
#include "common/status_macros.h"
#include "server/rpc/wire_messages.h"

namespace slice {

// A list that a request may have.
struct RequestList {
  const char* message;  // that has it, such as "slice.v1.WhatIf"
  const char* field;
  const char* path;      // from the request, such as "what_if.changes"
  const char* elements;  // what they are called in errors
  size_t most;           // elements
};

// Null for a field that is no list of a request.
const RequestList* FindRequestList(
    const google::protobuf::FieldDescriptor& field);

// Elements are counted up to this many times RequestList::most, so that it
// takes a bounded time to count those of a hostile request.
inline constexpr size_t kCountedTimes = 8;

// INVALID_ARGUMENT, naming the list, when `count` elements are more than it may
// have.
absl::Status CheckCount(const RequestList& list, size_t count);

// The most fields of a request that its message does not have, at any depth. A
// client of a later contract sends a few for each link.
inline constexpr size_t kMaxUnknownFields = size_t{16} << 10;

// Reads `bytes` without parsing them. INVALID_ARGUMENT when they are no
// `message`, or have more than kMaxReceiveBytes, more than kMaxUnknownFields,
// or too many elements in a list.
absl::Status CheckBounds(const grpc::ByteBuffer& bytes,
                         const google::protobuf::Descriptor& message);

// The errors of CheckBounds and of ParseMessage.
template <typename Message>
absl::Status ParseRequest(const grpc::ByteBuffer& bytes, Message* message) {
  SLICE_RETURN_IF_ERROR(CheckBounds(bytes, *Message::descriptor()));
  return ParseMessage(bytes, message);
}

}  // namespace slice

#endif  // SLICE_SERVER_RPC_REQUEST_BOUNDS_H_
