// What admission needs to know of a PredictLinksRequest, read without parsing
// the links: a full server refuses a request at the price of a short scan.
#ifndef SLICE_SERVER_RPC_REQUEST_OUTLINE_H_
#define SLICE_SERVER_RPC_REQUEST_OUTLINE_H_

#include <grpcpp/support/byte_buffer.h>

#include "proto/slice/v1/link_prediction.pb.h"

namespace slice {

struct RequestOutline {
  int links = 0;
  v1::RequestClass request_class = v1::REQUEST_CLASS_UNSPECIFIED;
};

// Reads the outermost fields of a serialised PredictLinksRequest. For bytes
// that are no such message: the fields before the first fault.
RequestOutline ReadOutline(const grpc::ByteBuffer& bytes);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_REQUEST_OUTLINE_H_
