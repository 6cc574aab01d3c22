#include "server/rpc/request_outline.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include "server/limits.h"

namespace slice {
namespace {

using google::protobuf::internal::WireFormatLite;

constexpr uint32_t kLinksTag =
    WireFormatLite::MakeTag(v1::PredictLinksRequest::kLinksFieldNumber,
                            WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
constexpr uint32_t kModelTag =
    WireFormatLite::MakeTag(v1::PredictLinksRequest::kModelFieldNumber,
                            WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
constexpr uint32_t kClassTag =
    WireFormatLite::MakeTag(v1::PredictLinksRequest::kRequestClassFieldNumber,
                            WireFormatLite::WIRETYPE_VARINT);

// So many fields are read, and no group, which may hold any number of fields: a
// full server refuses a hostile request as soon as any other.
constexpr int kMostFields = 2 * kMaxLinksPerRequest;

bool IsGroup(uint32_t tag) {
  return WireFormatLite::GetTagWireType(tag) ==
         WireFormatLite::WIRETYPE_START_GROUP;
}

}  // namespace

RequestOutline ReadOutline(const grpc::ByteBuffer& bytes) {
  RequestOutline outline;
  grpc::ByteBuffer shared(bytes);
  grpc::ProtoBufferReader reader(&shared);
  if (!reader.status().ok()) return outline;
  google::protobuf::io::CodedInputStream input(&reader);
  for (int fields = 0; fields < kMostFields; ++fields) {
    const uint32_t tag = input.ReadTag();
    if (tag == 0 || IsGroup(tag)) break;
    if (tag == kLinksTag) {
      uint32_t length = 0;
      if (!input.ReadVarint32(&length) ||
          !input.Skip(static_cast<int>(length))) {
        break;
      }
      ++outline.links;
    } else if (tag == kModelTag) {
      uint32_t length = 0;
      if (!input.ReadVarint32(&length)) break;
      const bool taken =
          length <= kMaxTextBytes
              ? input.ReadString(&outline.model, static_cast<int>(length))
              : input.Skip(static_cast<int>(length));
      if (!taken) break;
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
