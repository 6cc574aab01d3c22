// Where the messages of a unary RPC live.
#ifndef SLICE_SERVER_ARENA_ALLOCATOR_H_
#define SLICE_SERVER_ARENA_ALLOCATOR_H_

#include <google/protobuf/arena.h>
#include <grpcpp/support/message_allocator.h>

#include <array>
#include <cstddef>

namespace slice {

// Gives each RPC an arena of its own for request and response: their many small
// parts are made without the heap and go at once. Thread-safe.
template <typename Request, typename Response>
class ArenaAllocator final : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override {
    return new Holder();
  }

 private:
  // Enough for a request and a reply of a few links.
  static constexpr size_t kFirstBlockBytes = 4096;
  static constexpr size_t kMaxBlockBytes = 64 << 10;
  using Block = std::array<char, kFirstBlockBytes>;

  static google::protobuf::ArenaOptions Options(Block& first_block) {
    google::protobuf::ArenaOptions options;
    options.initial_block = first_block.data();
    options.initial_block_size = first_block.size();
    options.max_block_size = kMaxBlockBytes;
    return options;
  }

  class Holder final : public grpc::MessageHolder<Request, Response> {
   public:
    Holder() : arena_(Options(first_block_)) {
      this->set_request(
          google::protobuf::Arena::CreateMessage<Request>(&arena_));
      this->set_response(
          google::protobuf::Arena::CreateMessage<Response>(&arena_));
    }
    void Release() override { delete this; }

   private:
    alignas(std::max_align_t) Block first_block_;
    google::protobuf::Arena arena_;
  };
};

}  // namespace slice

#endif  // SLICE_SERVER_ARENA_ALLOCATOR_H_
