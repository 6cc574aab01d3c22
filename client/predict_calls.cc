#include "client/predict_calls.h"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/connection.h"
#include "client/proto_conversion.h"
#include "common/status_macros.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "proto/slice/v1/link_prediction.pb.h"

namespace slice {
namespace {

constexpr const char kMethod[] = "/slice.v1.LinkPredictionService/PredictLinks";

v1::ExplanationLevel LevelOf(const std::string& explanation) {
  if (explanation == "context") return v1::EXPLANATION_LEVEL_CONTEXT;
  if (explanation == "full") return v1::EXPLANATION_LEVEL_FULL;
  return v1::EXPLANATION_LEVEL_NONE;
}

grpc::ByteBuffer Serialized(const v1::PredictLinksRequest& request) {
  const grpc::Slice bytes(request.SerializeAsString());
  return grpc::ByteBuffer(&bytes, 1);
}

// A call under way; used again for the next call of its slot.
struct Call {
  std::optional<grpc::ClientContext> context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer reply;
  grpc::Status status;
};

}  // namespace

struct PredictRequests::Buffers {
  std::vector<grpc::ByteBuffer> requests;
};

PredictRequests::PredictRequests(absl::Span<const LinkQuery> links,
                                 const LinkClient::Options& client,
                                 const BenchOptions& options)
    : buffers_([&] {
        auto buffers = std::make_unique<Buffers>();
        v1::PredictLinksRequest request;
        request.set_model(client.model);
        request.set_scorer(client.scorer);
        request.set_explanation_level(LevelOf(options.explanation));
        const size_t per_rpc = static_cast<size_t>(options.links_per_rpc);
        for (size_t first = 0; first < links.size(); first += per_rpc) {
          request.clear_links();
          for (size_t i = first; i < first + per_rpc; ++i)
            ToProto(links[i % links.size()], request.add_links());
          buffers->requests.push_back(Serialized(request));
        }
        return buffers;
      }()),
      links_per_rpc_(options.links_per_rpc) {}

PredictRequests::~PredictRequests() = default;

struct PredictCalls::State {
  // Constant after construction.
  LinkClient::Options client;
  const PredictRequests* requests = nullptr;
  std::vector<std::unique_ptr<grpc::GenericStub>> stubs;

  grpc::CompletionQueue queue;  // internally synchronized
  std::atomic<size_t> next_request = 0;
  std::vector<Call> calls;         // each used by one thread at a time
  v1::PredictLinksResponse reply;  // of the thread in Next

  void Read(grpc::ByteBuffer* bytes, FinishedCall* finished);
};

// What the reply of an answered call says.
void PredictCalls::State::Read(grpc::ByteBuffer* bytes,
                               FinishedCall* finished) {
  grpc::ProtoBufferReader reader(bytes);
  if (!reply.ParseFromZeroCopyStream(&reader) || !reader.status().ok()) {
    finished->status = absl::InternalError("the reply cannot be parsed");
    return;
  }
  if (reply.results_size() != requests->links_per_rpc_) {
    finished->status = absl::InternalError(
        absl::StrCat("the server answered ", reply.results_size(), " links of ",
                     requests->links_per_rpc_));
    return;
  }
  for (const v1::LinkResult& result : reply.results()) {
    if (result.status().code() == 0) {
      ++finished->links;
      continue;
    }
    const auto code = static_cast<absl::StatusCode>(result.status().code());
    ++finished->link_errors[code];
    if (finished->first_link_error.ok())
      finished->first_link_error =
          absl::Status(code, result.status().message());
  }
}

absl::StatusOr<std::unique_ptr<PredictCalls>> PredictCalls::Connect(
    const LinkClient::Options& client, int connections, size_t slots,
    const PredictRequests* requests) {
  auto state = std::make_unique<State>();
  state->client = client;
  state->client.connection.own_connection = true;
  state->requests = requests;
  state->calls = std::vector<Call>(slots);
  const absl::Time deadline = absl::Now() + client.max_time;
  for (int i = 0; i < connections; ++i) {
    SLICE_ASSIGN_OR_RETURN(auto channel,
                           CreateChannel(state->client.connection));
    SLICE_RETURN_IF_ERROR(
        WaitUntilConnected(channel.get(), client.connection.server, deadline));
    state->stubs.push_back(
        std::make_unique<grpc::GenericStub>(std::move(channel)));
  }
  return std::unique_ptr<PredictCalls>(new PredictCalls(std::move(state)));
}

PredictCalls::PredictCalls(std::unique_ptr<State> state)
    : state_(std::move(state)) {}

PredictCalls::~PredictCalls() = default;

void PredictCalls::Start(size_t slot) {
  static const std::string* const kMethodName = new std::string(kMethod);
  Call& call = state_->calls[slot];
  const auto& requests = state_->requests->buffers_->requests;
  const size_t request =
      state_->next_request.fetch_add(1, std::memory_order_relaxed);
  call.reader.reset();  // lives in what its context owns
  call.context.emplace();
  PrepareCall(state_->client.connection, absl::Now() + state_->client.max_time,
              &*call.context);
  call.reader = state_->stubs[slot % state_->stubs.size()]->PrepareUnaryCall(
      &*call.context, *kMethodName, requests[request % requests.size()],
      &state_->queue);
  call.reader->StartCall();
  call.reader->Finish(&call.reply, &call.status, reinterpret_cast<void*>(slot));
}

std::optional<FinishedCall> PredictCalls::Next() {
  void* tag = nullptr;
  bool ok = false;
  if (!state_->queue.Next(&tag, &ok)) return std::nullopt;
  FinishedCall finished;
  finished.slot = reinterpret_cast<size_t>(tag);
  Call& call = state_->calls[finished.slot];
  if (call.status.ok()) {
    state_->Read(&call.reply, &finished);
  } else {
    finished.status = FromGrpcStatus(call.status);
  }
  call.reply.Clear();
  return finished;
}

void PredictCalls::EndWait() { state_->queue.Shutdown(); }

}  // namespace slice
