// The calls use gRPC's generic asynchronous stub and one completion queue. A
// tag of the queue is the slot of the call that ended. Start and Next may run
// in different threads: a slot belongs to the thread that starts its call, and
// then to the thread in Next until the call has ended. The server's times are
// read from the trailers of a reply.
#include "client/bench/unary_load.h"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "client/connection.h"
#include "client/proto_conversion.h"
#include "common/status_macros.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {
namespace {

constexpr const char kMethod[] = "/slice.v1.LinkPredictionService/PredictLinks";

// The call in a slot. The next call in the slot uses the same object again.
struct Call {
  std::optional<grpc::ClientContext> context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  LoadRequests::Picked request;
  grpc::ByteBuffer reply;
  grpc::Status status;
};

// The times that the server reports in the trailers of a reply; nothing when it
// reports none.
std::optional<ServerTimes> TimesOf(const grpc::ClientContext& context) {
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto number = [&trailers](const char* name, int64_t* value) {
    const auto found = trailers.find(name);
    return found != trailers.end() &&
           absl::SimpleAtoi(
               absl::string_view(found->second.data(), found->second.size()),
               value);
  };
  int64_t queue = 0, context_stage = 0, model = 0, batch = 0;
  if (!number("slice-queue-micros", &queue) ||
      !number("slice-context-micros", &context_stage) ||
      !number("slice-model-micros", &model) ||
      !number("slice-batch-size", &batch)) {
    return std::nullopt;
  }
  return ServerTimes{absl::Microseconds(queue),
                     absl::Microseconds(context_stage),
                     absl::Microseconds(model), batch};
}

}  // namespace

struct UnaryLoad::State {
  // Constant after construction.
  LinkClient::Options client;
  const LoadRequests* requests = nullptr;
  std::vector<std::unique_ptr<grpc::GenericStub>> stubs;

  grpc::CompletionQueue queue;  // internally synchronized
  std::atomic<uint64_t> next_request = 0;
  std::vector<Call> calls;         // by slot; one thread uses a call at a time
  v1::PredictLinksResponse reply;  // of the thread in Next
};

absl::StatusOr<std::vector<std::shared_ptr<grpc::Channel>>> ConnectForLoad(
    const LinkClient::Options& client, int count) {
  ConnectionOptions options = client.connection;
  options.own_connection = true;
  const absl::Time deadline = absl::Now() + client.max_time;
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (int i = 0; i < count; ++i) {
    SLICE_ASSIGN_OR_RETURN(auto channel, CreateChannel(options));
    SLICE_RETURN_IF_ERROR(
        WaitUntilConnected(channel.get(), options.server, deadline));
    channels.push_back(std::move(channel));
  }
  return channels;
}

absl::StatusOr<std::unique_ptr<UnaryLoad>> UnaryLoad::Connect(
    const LinkClient::Options& client, int connections, size_t slots,
    const LoadRequests* requests) {
  auto state = std::make_unique<State>();
  state->client = client;
  state->requests = requests;
  state->calls = std::vector<Call>(slots);
  SLICE_ASSIGN_OR_RETURN(auto channels, ConnectForLoad(client, connections));
  for (auto& channel : channels) {
    state->stubs.push_back(
        std::make_unique<grpc::GenericStub>(std::move(channel)));
  }
  return std::unique_ptr<UnaryLoad>(new UnaryLoad(std::move(state)));
}

UnaryLoad::UnaryLoad(std::unique_ptr<State> state) : state_(std::move(state)) {}

UnaryLoad::~UnaryLoad() = default;

void UnaryLoad::Start(size_t slot) {
  static const std::string* const kMethodName = new std::string(kMethod);
  Call& call = state_->calls[slot];
  call.request = state_->requests->Pick(
      state_->next_request.fetch_add(1, std::memory_order_relaxed));
  call.reader.reset();  // before the context that owns its memory
  call.context.emplace();
  PrepareCall(state_->client.connection, absl::Now() + state_->client.max_time,
              &*call.context);
  call.reader = state_->stubs[slot % state_->stubs.size()]->PrepareUnaryCall(
      &*call.context, *kMethodName, *call.request.bytes, &state_->queue);
  call.reader->StartCall();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): gRPC's tags are pointers
  call.reader->Finish(&call.reply, &call.status, reinterpret_cast<void*>(slot));
}

std::optional<FinishedCall> UnaryLoad::Next() {
  void* tag = nullptr;
  bool ok = false;
  if (!state_->queue.Next(&tag, &ok)) return std::nullopt;
  FinishedCall finished;
  finished.slot = reinterpret_cast<size_t>(tag);
  Call& call = state_->calls[finished.slot];
  finished.load_class = call.request.load_class;
  if (call.status.ok()) {
    ReadReply(&call.reply, call.request.links, &state_->reply, &finished);
    finished.server_times = TimesOf(*call.context);
  } else {
    finished.status = FromGrpcStatus(call.status);
  }
  call.reply.Clear();
  return finished;
}

void UnaryLoad::EndWait() { state_->queue.Shutdown(); }

}  // namespace slice
