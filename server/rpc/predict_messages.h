// The request and the response of one unary PredictLinks call.
//
// gRPC hands over the bytes of the request and takes the bytes of the response
// (its raw API), so that an overloaded server can refuse a call before parsing
// its request (server/rpc/request_outline.h).
#ifndef SLICE_SERVER_RPC_PREDICT_MESSAGES_H_
#define SLICE_SERVER_RPC_PREDICT_MESSAGES_H_

#include <google/protobuf/arena.h>
#include <grpcpp/support/byte_buffer.h>

#include <array>
#include <cstddef>

#include "absl/status/status.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Both messages live in an arena: their many small parts are allocated without
// the heap and freed together. Thread-compatible.
class PredictMessages {
 public:
  PredictMessages();

  PredictMessages(const PredictMessages&) = delete;
  PredictMessages& operator=(const PredictMessages&) = delete;

  // Reads the request. INVALID_ARGUMENT when `bytes` are no
  // PredictLinksRequest.
  absl::Status Parse(const grpc::ByteBuffer& bytes);
  // Writes the response. INTERNAL when it cannot be serialised.
  absl::Status Serialize(grpc::ByteBuffer* bytes) const;

  const v1::PredictLinksRequest& request() const { return *request_; }
  v1::PredictLinksResponse* response() { return response_; }

 private:
  // Enough for the messages of a call of a few links.
  static constexpr size_t kFirstBlockBytes = 4096;

  alignas(std::max_align_t) std::array<char, kFirstBlockBytes> first_block_;
  google::protobuf::Arena arena_;
  v1::PredictLinksRequest* const request_;    // in the arena
  v1::PredictLinksResponse* const response_;  // in the arena
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_PREDICT_MESSAGES_H_
