#include "server/rpc/predict_messages.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include "server/rpc/wire_messages.h"

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
  return ParseMessage(bytes, request_);
}

absl::Status PredictMessages::Serialize(grpc::ByteBuffer* bytes) const {
  return SerializeMessage(*response_, bytes);
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
