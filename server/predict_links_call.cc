#include "server/predict_links_call.h"

#include <grpcpp/server_context.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/grpc_status.h"
#include "server/response_builder.h"

namespace slice {

PredictLinksCall::PredictLinksCall(grpc::CallbackServerContext* context,
                                   const v1::PredictLinksRequest* request,
                                   v1::PredictLinksResponse* response,
                                   std::shared_ptr<const ServedModel> model,
                                   const RpcRecord& record,
                                   const JobOrigin& origin)
    : LinkJob(request, std::move(model), origin),
      context_(context),
      response_(response),
      record_(record) {}

void PredictLinksCall::Reply() {
  AddTrailers();
  absl::Status status = Outcome();
  if (status.ok()) status = BuildPredictLinksResponse(*this, response_);
  FinishWith(status);
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
