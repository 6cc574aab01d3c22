// A client that attacks a server, for tests and benchmarks.
//
// usage: hostile_client ADDRESS MODE SECONDS RELATION SOURCE TARGET
//   resets       starts calls and soon cancels each, as fast as a core can
//   raw-resets   the same in raw HTTP/2, about ten times as fast; gRPC 1.51
//                alone does not withstand it (docs/serving.md)
//   slow-reader  sends requests on open streams and never reads an answer
//   half-stream  sends one request on each of many streams; neither ends the
//                streams nor reads an answer
//   vanish       starts calls of many links and leaves before they are answered
// The process exits after SECONDS and ends nothing, like a process that is
// killed. It prints how many calls or requests it began: after the first one,
// and at the end.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "slice/v1/link_prediction.pb.h"
#include "tests/testing/reset_storm.h"

namespace slice {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

constexpr const char kUnary[] = "/slice.v1.LinkPredictionService/PredictLinks";
constexpr const char kStream[] =
    "/slice.v1.LinkPredictionService/StreamPredictLinks";
constexpr size_t kLag = 64;
constexpr int kStreams = 64;
constexpr int kVanishingCalls = 64;

struct Attack {
  std::string address;
  std::shared_ptr<grpc::Channel> channel;
  TimePoint end;
  std::string link[3];  // relation, source, target

  bool over() const { return std::chrono::steady_clock::now() >= end; }

  grpc::ByteBuffer Request(int links, bool explain) const {
    v1::PredictLinksRequest request;
    if (explain) request.set_explanation_level(v1::EXPLANATION_LEVEL_CONTEXT);
    for (int i = 0; i < links; ++i) {
      v1::LinkRef* ref = request.add_links();
      ref->set_relation(link[0]);
      ref->mutable_source()->set_key(link[1]);
      ref->mutable_target()->set_key(link[2]);
    }
    const grpc::Slice bytes(request.SerializeAsString());
    return grpc::ByteBuffer(&bytes, 1);
  }
};

// Prints the number of calls begun. The first line shows that the attack has
// begun.
void Tell(int64_t begun) { std::cout << begun << std::endl; }

struct Call {
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer reply;
  grpc::Status status;
  bool ended = false;
};

Call* Begin(grpc::GenericStub* stub, grpc::CompletionQueue* queue,
            const grpc::ByteBuffer& request) {
  auto* call = new Call;
  call->reader = stub->PrepareUnaryCall(&call->context, kUnary, request, queue);
  call->reader->StartCall();
  call->reader->Finish(&call->reply, &call->status, call);
  return call;
}

// Cancels a call after kLag more have begun: gRPC would not send a call that is
// cancelled at once.
int64_t Reset(const Attack& attack) {
  grpc::GenericStub stub(attack.channel);
  grpc::CompletionQueue queue;
  const grpc::ByteBuffer request = attack.Request(1, false);
  std::vector<Call*> ring(kLag);
  int64_t begun = 0;
  for (size_t next = 0; !attack.over(); next = (next + 1) % kLag) {
    Call* oldest = ring[next];
    if (oldest != nullptr) oldest->context.TryCancel();
    void* tag = nullptr;
    bool ok = false;
    while (oldest != nullptr && !oldest->ended && queue.Next(&tag, &ok))
      static_cast<Call*>(tag)->ended = true;
    delete oldest;
    ring[next] = Begin(&stub, &queue, request);
    if (++begun == 1) Tell(begun);
  }
  return begun;
}

int64_t RawReset(const Attack& attack) {
  const grpc::ByteBuffer request = attack.Request(1, false);
  grpc::Slice message;
  request.TrySingleSlice(&message);
  return SendResets(
      attack.address, kUnary,
      std::string(reinterpret_cast<const char*>(message.begin()),
                  message.size()),
      [&attack] { return attack.over(); }, [] { Tell(1); });
}

int64_t Vanish(const Attack& attack) {
  grpc::GenericStub stub(attack.channel);
  grpc::CompletionQueue queue;
  const grpc::ByteBuffer request = attack.Request(64, true);
  int64_t begun = 0;
  for (; begun < kVanishingCalls; ++begun) Begin(&stub, &queue, request);
  Tell(begun);
  while (!attack.over()) {
    void* tag = nullptr;
    bool ok = false;
    queue.AsyncNext(
        &tag, &ok,
        std::chrono::system_clock::now() + std::chrono::milliseconds(10));
  }
  return begun;
}

struct Stream {
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;
};

// Opens streams, writes up to `most` requests on each, and reads nothing.
int64_t WriteOnly(const Attack& attack, int64_t most) {
  grpc::GenericStub stub(attack.channel);
  grpc::CompletionQueue queue;
  const grpc::ByteBuffer request = attack.Request(4, true);
  std::vector<int64_t> written(kStreams);
  std::vector<Stream> streams(kStreams);
  for (size_t i = 0; i < streams.size(); ++i) {
    streams[i].stream = stub.PrepareCall(&streams[i].context, kStream, &queue);
    streams[i].stream->StartCall(reinterpret_cast<void*>(i));
  }
  int64_t begun = 0;
  while (!attack.over()) {
    void* tag = nullptr;
    bool ok = false;
    const auto until =
        std::chrono::system_clock::now() + std::chrono::milliseconds(10);
    if (queue.AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT)
      continue;
    const size_t i = reinterpret_cast<size_t>(tag);
    if (!ok || written[i] >= most) continue;
    streams[i].stream->Write(request, tag);
    ++written[i];
    if (++begun == kStreams) Tell(begun);
  }
  Tell(begun);
  _exit(0);
}

int Main(int argc, char** argv) {
  const std::map<std::string, std::function<int64_t(const Attack&)>> modes = {
      {"resets", Reset},
      {"raw-resets", RawReset},
      {"vanish", Vanish},
      {"slow-reader", [](const Attack& a) { return WriteOnly(a, INT64_MAX); }},
      {"half-stream", [](const Attack& a) { return WriteOnly(a, 1); }}};
  if (argc != 7 || modes.count(argv[2]) == 0) {
    std::cerr << "usage: hostile_client ADDRESS resets|raw-resets|vanish|"
                 "slow-reader|half-stream SECONDS RELATION SOURCE TARGET\n";
    return 2;
  }
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  Attack attack;
  attack.address = argv[1];
  attack.channel = grpc::CreateCustomChannel(
      argv[1], grpc::InsecureChannelCredentials(), arguments);
  // Without a connection, calls would be cancelled before they are sent.
  if (!attack.channel->WaitForConnected(std::chrono::system_clock::now() +
                                        std::chrono::seconds(30))) {
    std::cerr << "no server at " << argv[1] << "\n";
    return 1;
  }
  attack.end = std::chrono::steady_clock::now() +
               std::chrono::milliseconds(
                   static_cast<int64_t>(1000 * std::atof(argv[3])));
  for (int i = 0; i < 3; ++i) attack.link[i] = argv[4 + i];
  Tell(modes.at(argv[2])(attack));
  _exit(0);  // without ending the calls under way
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
