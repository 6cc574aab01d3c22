// What admission needs to know of a PredictLinksRequest, read without parsing
// the links. So a full server can refuse a request after a short scan of its
// bytes.
#ifndef SLICE_SERVER_RPC_REQUEST_OUTLINE_H_
#define SLICE_SERVER_RPC_REQUEST_OUTLINE_H_

#include <grpcpp/support/byte_buffer.h>

#include <string>

#include "slice/v1/link_prediction.pb.h"

namespace slice {

struct RequestOutline {
  int links = 0;
  v1::RequestClass request_class = v1::REQUEST_CLASS_UNSPECIFIED;
  std::string model = "";  // empty also when it is longer than kMaxTextBytes
};

// Reads the outermost fields of a serialised PredictLinksRequest. When the
// bytes are no such message, the outline covers the fields before the first
// fault. It covers the first two thousand fields, and none after a group.
RequestOutline ReadOutline(const grpc::ByteBuffer& bytes);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_REQUEST_OUTLINE_H_
