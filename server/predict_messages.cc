#include "server/predict_messages.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>

namespace slice {
namespace {

using google::protobuf::Arena;
using google::protobuf::internal::WireFormatLite;

constexpr size_t kMaxBlockBytes = 64 << 10;

constexpr uint32_t kLinksTag =
    WireFormatLite::MakeTag(v1::PredictLinksRequest::kLinksFieldNumber,
                            WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
constexpr uint32_t kClassTag =
    WireFormatLite::MakeTag(v1::PredictLinksRequest::kRequestClassFieldNumber,
                            WireFormatLite::WIRETYPE_VARINT);

google::protobuf::ArenaOptions OptionsWith(char* block, size_t bytes) {
  google::protobuf::ArenaOptions options;
  options.initial_block = block;
  options.initial_block_size = bytes;
  options.max_block_size = kMaxBlockBytes;
  return options;
}

}  // namespace

PredictMessages::PredictMessages()
    : arena_(OptionsWith(first_block_.data(), first_block_.size())),
      request_(Arena::CreateMessage<v1::PredictLinksRequest>(&arena_)),
      response_(Arena::CreateMessage<v1::PredictLinksResponse>(&arena_)) {}

absl::Status PredictMessages::Parse(const grpc::ByteBuffer& bytes) {
  grpc::ByteBuffer shared(bytes);
  const grpc::Status parsed =
      grpc::SerializationTraits<v1::PredictLinksRequest>::Deserialize(&shared,
                                                                      request_);
  if (parsed.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the bytes of the call are no slice.v1.PredictLinksRequest: generate the "
      "client from the proto files of this server");
}

absl::Status PredictMessages::Serialize(grpc::ByteBuffer* bytes) const {
  bool owned = true;
  const grpc::Status written =
      grpc::SerializationTraits<v1::PredictLinksResponse>::Serialize(
          *response_, bytes, &owned);
  if (written.ok()) return absl::OkStatus();
  return absl::InternalError("the response cannot be serialised");
}

RequestOutline ReadOutline(const grpc::ByteBuffer& bytes) {
  RequestOutline outline;
  grpc::ByteBuffer shared(bytes);
  grpc::ProtoBufferReader reader(&shared);
  if (!reader.status().ok()) return outline;
  google::protobuf::io::CodedInputStream input(&reader);
  while (const uint32_t tag = input.ReadTag()) {
    if (tag == kLinksTag) {
      uint32_t length = 0;
      if (!input.ReadVarint32(&length) ||
          !input.Skip(static_cast<int>(length))) {
        break;
      }
      ++outline.links;
    } else if (tag == kClassTag) {
      uint32_t value = 0;
      if (!input.ReadVarint32(&value)) break;
      outline.request_class = static_cast<v1::RequestClass>(value);
    } else if (!WireFormatLite::SkipField(&input, tag)) {
      break;
    }
  }
  return outline;
}

}  // namespace slice
