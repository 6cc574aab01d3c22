#include "server/http/relayed_call.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <memory>
#include <utility>

#include "server/grpc_status.h"
#include "server/transport/relayed_caller.h"

namespace slice {
namespace {

grpc::Status NoRoom() {
  return ToGrpcStatus(WithRetryDelay(
      absl::UnavailableError(
          "answers to this host hold too much memory; try again"),
      absl::Seconds(1)));
}

// Deletes itself when the call has ended.
class Reactor final
    : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Reactor(grpc::GenericStub& stub, RelayedCall call, RelayDone done,
          std::shared_ptr<grpc::ClientContext> context)
      : context_(std::move(context)),
        request_(std::move(call.request)),
        hold_(std::move(call.hold)),
        done_(std::move(done)),
        held_(request_.Length()) {
    AddCaller(call.caller, context_.get());
    for (const auto& [name, value] : call.metadata) {
      context_->AddMetadata(name, value);
    }
    if (call.deadline < absl::InfiniteFuture()) {
      context_->set_deadline(absl::ToChronoTime(call.deadline));
    }
    stub.PrepareBidiStreamingCall(context_.get(), call.method, {}, this);
    StartWriteLast(&request_, {});
    StartRead(&answer_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    held_ += answer_.Length();
    if (!hold_(held_)) return Refuse();
    answers_.push_back(std::exchange(answer_, {}));
    StartRead(&answer_);
  }
  void OnDone(const grpc::Status& status) override {
    done_(refused_ ? NoRoom() : status, std::move(answers_));
    delete this;
  }

 private:
  void Refuse() {
    refused_ = true;
    answer_.Clear();
    answers_.clear();
    context_->TryCancel();
  }

  const std::shared_ptr<grpc::ClientContext> context_;
  const grpc::ByteBuffer request_;
  const std::function<bool(size_t)> hold_;
  const RelayDone done_;
  size_t held_;  // bytes
  bool refused_ = false;
  grpc::ByteBuffer answer_;
  std::vector<grpc::ByteBuffer> answers_;
};

}  // namespace

HttpCancel Relay(grpc::GenericStub& stub, RelayedCall call, RelayDone done) {
  auto context = std::make_shared<grpc::ClientContext>();
  new Reactor(stub, std::move(call), std::move(done), context);
  return [context] { context->TryCancel(); };
}

}  // namespace slice
