#include "server/http/relayed_call.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <memory>
#include <utility>

#include "absl/time/clock.h"
#include "server/transport/relayed_caller.h"

namespace slice {
namespace {

// Deletes itself when the call has ended.
class Reactor final
    : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Reactor(grpc::GenericStub& stub, RelayedCall call, RelayDone done,
          std::shared_ptr<grpc::ClientContext> context)
      : context_(std::move(context)),
        request_(std::move(call.request)),
        done_(std::move(done)) {
    AddCaller(call.caller, context_.get());
    for (const auto& [name, value] : call.metadata) {
      context_->AddMetadata(name, value);
    }
    if (call.time_limit < absl::InfiniteDuration()) {
      context_->set_deadline(absl::ToChronoTime(absl::Now() + call.time_limit));
    }
    stub.PrepareBidiStreamingCall(context_.get(), call.method, {}, this);
    StartWriteLast(&request_, {});
    StartRead(&answer_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    answers_.push_back(std::exchange(answer_, {}));
    StartRead(&answer_);
  }
  void OnDone(const grpc::Status& status) override {
    done_(status, std::move(answers_));
    delete this;
  }

 private:
  const std::shared_ptr<grpc::ClientContext> context_;
  const grpc::ByteBuffer request_;
  const RelayDone done_;
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
