#include "server/predict_links_call.h"

#include <grpcpp/server_context.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/grpc_status.h"
#include "server/response_builder.h"

namespace slice {
namespace {

// A smaller answer fits in the windows of HTTP/2 and is not waited for.
constexpr size_t kHeldAnswerBytes = 64 << 10;

}  // namespace

PredictLinksCall::PredictLinksCall(grpc::CallbackServerContext* context,
                                   const v1::PredictLinksRequest* request,
                                   v1::PredictLinksResponse* response,
                                   std::shared_ptr<const ServedModel> model,
                                   const RpcRecord& record,
                                   const JobOrigin& origin,
                                   LinkPipeline* pipeline)
    : LinkJob(request, std::move(model), origin),
      context_(context),
      response_(response),
      record_(record),
      pipeline_(pipeline) {}

void PredictLinksCall::Reply() {
  AddTrailers();
  absl::Status status = Outcome();
  if (status.ok()) {
    status = BuildPredictLinksResponse(*this, response_);
    HoldIfLarge();
  }
  FinishWith(status);
}

// gRPC keeps what a reader does not take.
void PredictLinksCall::HoldIfLarge() {
  if (!explain()) return;
  const size_t bytes = response_->ByteSizeLong();
  if (bytes < kHeldAnswerBytes) return;
  held_bytes_ = bytes;
  pipeline_->HoldAnswer(order().client, bytes);
}

void PredictLinksCall::OnDone() {
  if (held_bytes_ > 0) pipeline_->ReleaseAnswer(order().client, held_bytes_);
  delete this;
}

void PredictLinksCall::Refuse(const absl::Status& status) {
  FinishWith(status);
}

void PredictLinksCall::AddTrailers() {
  const JobTimings timings = Timings();
  const auto add = [this](const char* name, int64_t value) {
    context_->AddTrailingMetadata(name, std::to_string(value));
  };
  add("slice-queue-micros", absl::ToInt64Microseconds(timings.queue));
  add("slice-context-micros", absl::ToInt64Microseconds(timings.context));
  add("slice-model-micros", absl::ToInt64Microseconds(timings.model));
  add("slice-batch-size", static_cast<int64_t>(timings.batch_size));
}

void PredictLinksCall::FinishWith(const absl::Status& status) {
  // Finish may delete this before it returns.
  record_.Handled(static_cast<int>(status.code()));
  Finish(ToGrpcStatus(status));
}

}  // namespace slice
