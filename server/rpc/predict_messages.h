// The messages of a unary PredictLinks RPC, and their way to bytes and back.
//
// The RPC is served in bytes (gRPC's raw API), so that what an overloaded
// server refuses is never parsed.
#ifndef SLICE_SERVER_RPC_PREDICT_MESSAGES_H_
#define SLICE_SERVER_RPC_PREDICT_MESSAGES_H_

#include <google/protobuf/arena.h>
#include <grpcpp/support/byte_buffer.h>

#include <array>
#include <cstddef>

#include "absl/status/status.h"
#include "proto/slice/v1/link_prediction.pb.h"

namespace slice {

// Request and response live in an arena: their many small parts are made
// without the heap and go at once.
class PredictMessages {
 public:
  PredictMessages();

  PredictMessages(const PredictMessages&) = delete;
  PredictMessages& operator=(const PredictMessages&) = delete;

  // INVALID_ARGUMENT when `bytes` are no PredictLinksRequest.
  absl::Status Parse(const grpc::ByteBuffer& bytes);
  // INTERNAL when the response cannot be serialised.
  absl::Status Serialize(grpc::ByteBuffer* bytes) const;

  const v1::PredictLinksRequest& request() const { return *request_; }
  v1::PredictLinksResponse* response() { return response_; }

 private:
  // Enough for a request and a reply of a few links.
  static constexpr size_t kFirstBlockBytes = 4096;

  alignas(std::max_align_t) std::array<char, kFirstBlockBytes> first_block_;
  google::protobuf::Arena arena_;
  v1::PredictLinksRequest* const request_;    // in the arena
  v1::PredictLinksResponse* const response_;  // in the arena
};

// What a serialised PredictLinksRequest asks for, read from its outermost
// fields alone.
struct RequestOutline {
  int links = 0;
  v1::RequestClass request_class = v1::REQUEST_CLASS_UNSPECIFIED;
};

// Of bytes that are no request: what can be read before the fault.
RequestOutline ReadOutline(const grpc::ByteBuffer& bytes);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_PREDICT_MESSAGES_H_
