#include "server/rpc/predict_messages.h"

#include "server/rpc/wire_messages.h"

namespace slice {
namespace {

using google::protobuf::Arena;

// The largest block that the arena takes from the heap at once.
constexpr size_t kMaxBlockBytes = 64 << 10;

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

}  // namespace slice
