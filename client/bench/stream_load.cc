// All streams use gRPC's generic asynchronous stub and one completion queue. A
// tag of the queue holds the number of a stream and the step that ended.
//
// A stream is closed, starting, open or ending. Send opens a closed stream. An
// open stream always has one read under way and at most one write: gRPC counts
// the half-close as a write, and an answer may come before the write of its
// request has ended. Requests that wait to be written are in waiting_. Requests
// that are written and not answered are in sent_, in the order in which the
// server answers. When a start or a read fails, the stream ends: Finish asks
// for its status. Once no step is under way (pending_ == 0), all calls on the
// stream fail with that status, and the stream is closed.
#include "client/bench/stream_load.h"

#include <atomic>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "client/bench/unary_load.h"
#include "client/connection.h"
#include "client/proto_conversion.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"

namespace slice {
namespace {

constexpr const char kMethod[] =
    "/slice.v1.LinkPredictionService/StreamPredictLinks";

// The step of a stream that a tag of the completion queue reports.
enum class Step : size_t { kStarted, kWritten, kRead, kHalfClosed, kFinished };
constexpr size_t kSteps = 5;

struct Waiting {
  size_t slot = 0;
  LoadRequests::Picked request;
};

// One stream. Its operations are started with the lock held, because each
// depends on those started before; none of them blocks.
class LoadStream {
 public:
  LoadStream(size_t index, const ConnectionOptions* connection,
             std::shared_ptr<grpc::Channel> channel,
             grpc::CompletionQueue* queue)
      : index_(index),
        connection_(connection),
        stub_(std::move(channel)),
        queue_(queue) {}

  void Send(const Waiting& call) {
    MutexLock lock(&mutex_);
    waiting_.push_back(call);
    if (phase_ == Phase::kClosed) Open();
    if (phase_ == Phase::kOpen) Write();
  }

  // Handles the end of a step and starts the steps that follow. Appends the
  // calls that ended with this step to `finished`.
  void Advance(Step step, bool ok, v1::PredictLinksResponse* scratch,
               std::deque<FinishedCall>* finished) {
    MutexLock lock(&mutex_);
    --pending_;
    switch (step) {
      case Step::kStarted:
        if (!ok) break;
        phase_ = Phase::kOpen;
        Read();
        Write();
        return;
      case Step::kWritten:
        writing_ = false;
        if (ok && phase_ == Phase::kOpen) Write();
        break;
      case Step::kRead:
        if (!ok) break;
        if (sent_.empty()) {
          context_->TryCancel();  // an answer without a request
        } else {
          finished->push_back(Answer(scratch));
        }
        Read();
        return;
      case Step::kHalfClosed:
      case Step::kFinished:
        break;
    }
    if (phase_ == Phase::kStarting || (step == Step::kRead && !ok)) {
      phase_ = Phase::kEnding;
      ++pending_;
      stream_->Finish(&status_, Tag(Step::kFinished));
    }
    if (step == Step::kFinished) has_status_ = true;
    if (has_status_ && pending_ == 0) Close(finished);
  }

  // Tells the server that no more requests follow.
  void HalfClose() {
    MutexLock lock(&mutex_);
    half_closing_ = true;
    if (phase_ == Phase::kOpen) Write();
  }

  bool closed() const {
    MutexLock lock(&mutex_);
    return phase_ == Phase::kClosed;
  }

 private:
  enum class Phase { kClosed, kStarting, kOpen, kEnding };

  void* Tag(Step step) const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): gRPC's tags are pointers
    return reinterpret_cast<void*>(index_ * kSteps + static_cast<size_t>(step));
  }

  void Open() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    static const std::string* const kMethodName = new std::string(kMethod);
    phase_ = Phase::kStarting;
    context_.emplace();
    PrepareCall(*connection_, absl::InfiniteFuture(), &*context_);
    stream_ = stub_.PrepareCall(&*context_, *kMethodName, queue_);
    ++pending_;
    stream_->StartCall(Tag(Step::kStarted));
  }

  // Writes the next request, or half-closes if none is to follow.
  void Write() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (writing_ || (waiting_.empty() && !half_closing_)) return;
    writing_ = true;
    ++pending_;
    if (waiting_.empty()) {
      half_closing_ = false;
      stream_->WritesDone(Tag(Step::kHalfClosed));
      return;
    }
    sent_.push_back(waiting_.front());
    waiting_.pop_front();
    stream_->Write(*sent_.back().request.bytes, Tag(Step::kWritten));
  }

  void Read() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    ++pending_;
    stream_->Read(&reply_, Tag(Step::kRead));
  }

  FinishedCall Answer(v1::PredictLinksResponse* scratch)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const Waiting call = sent_.front();
    sent_.pop_front();
    FinishedCall finished;
    finished.slot = call.slot;
    finished.load_class = call.request.load_class;
    ReadReply(&reply_, call.request.links, scratch, &finished);
    return finished;
  }

  // Closes the stream: all calls without an answer fail with its status.
  void Close(std::deque<FinishedCall>* finished)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    phase_ = Phase::kClosed;
    has_status_ = writing_ = half_closing_ = false;
    absl::Status status = FromGrpcStatus(status_);
    if (status.ok()) {
      status = absl::UnavailableError("the server ended the stream");
    }
    for (auto* calls : {&sent_, &waiting_}) {
      for (const Waiting& call : *calls) {
        FinishedCall& failed = finished->emplace_back();
        failed.slot = call.slot;
        failed.load_class = call.request.load_class;
        failed.status = status;
      }
      calls->clear();
    }
    stream_.reset();  // before the context that owns its memory
    context_.reset();
  }

  // Constant after construction.
  const size_t index_;
  const ConnectionOptions* const connection_;
  grpc::GenericStub stub_;  // internally synchronized
  grpc::CompletionQueue* const queue_;

  mutable Mutex mutex_;
  Phase phase_ ABSL_GUARDED_BY(mutex_) = Phase::kClosed;
  std::optional<grpc::ClientContext> context_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_
      ABSL_GUARDED_BY(mutex_);
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);  // not written yet
  std::deque<Waiting> sent_ ABSL_GUARDED_BY(mutex_);     // not answered yet
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool half_closing_ ABSL_GUARDED_BY(mutex_) = false;  // asked for, not begun
  int pending_ ABSL_GUARDED_BY(mutex_) = 0;            // steps under way
  grpc::ByteBuffer reply_ ABSL_GUARDED_BY(mutex_);
  grpc::Status status_ ABSL_GUARDED_BY(mutex_);
  bool has_status_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

struct StreamLoad::State {
  // Constant after construction.
  LinkClient::Options client;
  const LoadRequests* requests = nullptr;
  std::vector<std::unique_ptr<LoadStream>> streams;

  grpc::CompletionQueue queue;  // internally synchronized
  std::atomic<uint64_t> next_request = 0;
  std::atomic<bool> ending = false;
  std::atomic<bool> shut_down = false;

  // Only the thread in Next uses these.
  v1::PredictLinksResponse reply;
  std::deque<FinishedCall> finished;

  // Shuts the queue down when EndWait was called and all streams are closed.
  void ShutDownWhenClosed() {
    if (!ending.load()) return;
    for (const auto& stream : streams) {
      if (!stream->closed()) return;
    }
    if (!shut_down.exchange(true)) queue.Shutdown();
  }
};

absl::StatusOr<std::unique_ptr<StreamLoad>> StreamLoad::Connect(
    const LinkClient::Options& client, int connections, int streams,
    const LoadRequests* requests) {
  auto state = std::make_unique<State>();
  state->client = client;
  state->requests = requests;
  SLICE_ASSIGN_OR_RETURN(const auto channels,
                         ConnectForLoad(client, connections));
  for (size_t i = 0; i < static_cast<size_t>(streams); ++i) {
    state->streams.push_back(std::make_unique<LoadStream>(
        i, &state->client.connection, channels[i % channels.size()],
        &state->queue));
  }
  return std::unique_ptr<StreamLoad>(new StreamLoad(std::move(state)));
}

StreamLoad::StreamLoad(std::unique_ptr<State> state)
    : state_(std::move(state)) {}

StreamLoad::~StreamLoad() = default;

void StreamLoad::Start(size_t slot) {
  const auto request = state_->requests->Pick(
      state_->next_request.fetch_add(1, std::memory_order_relaxed));
  state_->streams[slot % state_->streams.size()]->Send({slot, request});
}

std::optional<FinishedCall> StreamLoad::Next() {
  while (state_->finished.empty()) {
    void* tag = nullptr;
    bool ok = false;
    if (!state_->queue.Next(&tag, &ok)) return std::nullopt;
    const size_t number = reinterpret_cast<size_t>(tag);
    LoadStream& stream = *state_->streams[number / kSteps];
    stream.Advance(static_cast<Step>(number % kSteps), ok, &state_->reply,
                   &state_->finished);
    state_->ShutDownWhenClosed();
  }
  FinishedCall finished = std::move(state_->finished.front());
  state_->finished.pop_front();
  return finished;
}

void StreamLoad::EndWait() {
  for (const auto& stream : state_->streams) stream->HalfClose();
  state_->ending.store(true);
  state_->ShutDownWhenClosed();
}

}  // namespace slice
