// The scan follows the descriptors of the messages: it goes into each field
// that is a message, counts the elements of lists and the fields that a message
// does not have, and passes over the rest. What it refuses as malformed,
// protobuf's parser would refuse too; so nothing is parsed that was not
// scanned.
#include "server/rpc/request_bounds.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <algorithm>
#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "server/grpc_status.h"
#include "server/limits.h"

namespace slice {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr std::array<RequestList, 4> kLists = {{
    {"slice.v1.PredictLinksRequest", "links", "links", "links",
     kMaxLinksPerRequest},
    {"slice.v1.RecommendLinksRequest", "candidates", "candidates", "nodes",
     kMaxRecommendCandidates},
    {"slice.v1.ApplyUpdatesRequest", "changes", "changes", "changes",
     kMaxUpdateChanges},
    {"slice.v1.WhatIf", "changes", "what_if.changes", "changes",
     kMaxWhatIfChanges},
}};

// Bytes that cannot hold so much that it would matter.
constexpr size_t kHarmlessBytes = 4096;

WireFormatLite::WireType WireTypeOf(const FieldDescriptor& field) {
  return WireFormatLite::WireTypeForFieldType(
      static_cast<WireFormatLite::FieldType>(field.type()));
}

// One scan of a request.
class Scan {
 public:
  explicit Scan(CodedInputStream* input) : input_(input) {}

  // Whether the input is a `message`, as far as it was read.
  bool Read(const Descriptor& message) {
    while (const uint32_t tag = input_->ReadTag()) {
      if (!ReadField(message, tag)) return false;
    }
    return input_->ConsumedEntireMessage();
  }

  // Not OK once there is too much; then the rest was not read.
  const absl::Status& too_much() const { return too_much_; }

  // The same for lists whose end was read.
  absl::Status CheckCounts() const {
    for (size_t i = 0; i < kLists.size(); ++i) {
      SLICE_RETURN_IF_ERROR(CheckCount(kLists[i], counts_[i]));
    }
    return absl::OkStatus();
  }

 private:
  bool ReadField(const Descriptor& message, uint32_t tag) {
    const FieldDescriptor* const field =
        message.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    const bool is_known =
        field != nullptr &&
        WireTypeOf(*field) == WireFormatLite::GetTagWireType(tag);
    if (!is_known) return ReadUnknown(tag);
    if (field->type() != FieldDescriptor::TYPE_MESSAGE) return Skip(tag);
    return (!field->is_repeated() || Count(*field)) &&
           ReadMessage(*field->message_type());
  }

  bool ReadMessage(const Descriptor& message) {
    int length = 0;
    if (!input_->ReadVarintSizeAsInt(&length)) return false;
    const auto [limit, depth_left] =
        input_->IncrementRecursionDepthAndPushLimit(length);
    return depth_left >= 0 && Read(message) &&
           input_->DecrementRecursionDepthAndPopLimit(limit);
  }

  // Of a list that has no bound nothing is counted: a test sees to it that
  // there is none.
  bool Count(const FieldDescriptor& field) {
    if (&field != counted_) {
      counted_ = &field;
      list_ = FindRequestList(field);
    }
    if (list_ == nullptr) return true;
    size_t& count = counts_[list_ - kLists.data()];
    if (++count > kCountedTimes * list_->most) {
      too_much_ = CheckCount(*list_, count);
    }
    return too_much_.ok();
  }

  bool ReadUnknown(uint32_t tag) {
    if (++unknown_ > kMaxUnknownFields) {
      too_much_ = absl::InvalidArgumentError(absl::StrCat(
          "the request has more than ", kMaxUnknownFields,
          " fields that this server does not know: generate the client from "
          "the proto files of this server"));
      return false;
    }
    switch (WireFormatLite::GetTagWireType(tag)) {
      case WireFormatLite::WIRETYPE_START_GROUP:
        return ReadGroup();
      case WireFormatLite::WIRETYPE_END_GROUP:
        return false;
      default:
        return Skip(tag);
    }
  }

  bool ReadGroup() {
    if (!input_->IncrementRecursionDepth()) return false;
    while (const uint32_t tag = input_->ReadTag()) {
      if (WireFormatLite::GetTagWireType(tag) ==
          WireFormatLite::WIRETYPE_END_GROUP) {
        input_->DecrementRecursionDepth();
        return true;
      }
      if (!ReadUnknown(tag)) return false;
    }
    return false;
  }

  // Passes over a field that is no group.
  bool Skip(uint32_t tag) { return WireFormatLite::SkipField(input_, tag); }

  CodedInputStream* const input_;
  std::array<size_t, kLists.size()> counts_ = {};
  // The field that was counted last, and its list.
  const FieldDescriptor* counted_ = nullptr;
  const RequestList* list_ = nullptr;
  size_t unknown_ = 0;
  absl::Status too_much_;
};

// The path of the list that makes a request large; empty for a request without
// one.
std::string ListOf(const Descriptor& message) {
  for (const RequestList& list : kLists) {
    if (message.full_name() == list.message) return list.path;
  }
  return "";
}

absl::Status TooManyBytes(const Descriptor& message, size_t bytes) {
  const std::string problem =
      absl::StrCat("the request has ", bytes, " bytes, at most ",
                   kMaxReceiveBytes, " are allowed");
  const std::string list = ListOf(message);
  return list.empty() ? absl::InvalidArgumentError(problem)
                      : InvalidField(list, problem);
}

}  // namespace

const RequestList* FindRequestList(const FieldDescriptor& field) {
  if (!field.is_repeated()) return nullptr;
  for (const RequestList& list : kLists) {
    if (field.name() == list.field &&
        field.containing_type()->full_name() == list.message) {
      return &list;
    }
  }
  return nullptr;
}

absl::Status CheckCount(const RequestList& list, size_t count) {
  if (count <= list.most) return absl::OkStatus();
  const size_t counted = kCountedTimes * list.most;
  return InvalidField(
      list.path, absl::StrCat("holds ", count > counted ? "more than " : "",
                              std::min(count, counted), " ", list.elements,
                              ", at most ", list.most, " are allowed"));
}

absl::Status CheckBounds(const grpc::ByteBuffer& bytes,
                         const Descriptor& message) {
  const size_t length = bytes.Length();
  if (length <= kHarmlessBytes) return absl::OkStatus();
  if (length > static_cast<size_t>(kMaxReceiveBytes)) {
    return TooManyBytes(message, length);
  }
  grpc::ByteBuffer shared(bytes);
  grpc::ProtoBufferReader reader(&shared);
  if (!reader.status().ok()) return MalformedMessage(message);
  CodedInputStream input(&reader);
  Scan scan(&input);
  if (scan.Read(message)) return scan.CheckCounts();
  return scan.too_much().ok() ? MalformedMessage(message) : scan.too_much();
}

}  // namespace slice
