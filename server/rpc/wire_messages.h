// Converts between messages and bytes, for the methods that exchange bytes with
// gRPC (its raw API). Through the message API, gRPC would end a call whose
// bytes are no valid message without saying why.
#ifndef SLICE_SERVER_RPC_WIRE_MESSAGES_H_
#define SLICE_SERVER_RPC_WIRE_MESSAGES_H_

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace slice {

// The error for bytes that are no valid message of this type.
inline absl::Status MalformedMessage(
    const google::protobuf::Descriptor& message) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the bytes of the call are no ", message.full_name(),
      ": generate the client from the proto files of this server"));
}

// INVALID_ARGUMENT when `bytes` are no valid `Message`.
template <typename Message>
absl::Status ParseMessage(const grpc::ByteBuffer& bytes, Message* message) {
  grpc::ByteBuffer shared(bytes);
  if (grpc::SerializationTraits<Message>::Deserialize(&shared, message).ok()) {
    return absl::OkStatus();
  }
  return MalformedMessage(*message->GetDescriptor());
}

// INTERNAL when the message cannot be serialised.
template <typename Message>
absl::Status SerializeMessage(const Message& message, grpc::ByteBuffer* bytes) {
  bool owned = true;
  if (grpc::SerializationTraits<Message>::Serialize(message, bytes, &owned)
          .ok()) {
    return absl::OkStatus();
  }
  return absl::InternalError("the response cannot be serialised");
}

}  // namespace slice

#endif  // SLICE_SERVER_RPC_WIRE_MESSAGES_H_
