#include "server/rpc/predict_links_call.h"

#include <grpcpp/server_context.h>

#include <string>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/metric_labels.h"
#include "server/rpc/response_builder.h"

namespace slice {

PredictLinksCall::PredictLinksCall(grpc::CallbackServerContext* context,
                                   std::unique_ptr<PredictMessages> messages,
                                   grpc::ByteBuffer* response,
                                   std::shared_ptr<const ServedModel> model,
                                   const RpcRecord& record,
                                   const JobOrigin& origin,
                                   LinkPipeline* pipeline)
    : LinkJob(&messages->request(), std::move(model), origin),
      context_(context),
      messages_(std::move(messages)),
      response_(response),
      record_(record),
      unread_(&pipeline->answers(), context, origin.call.client,
              origin.deadline) {}

size_t PredictLinksCall::Reply() {
  const JobTimings timings = Timings();
  AddTrailers(timings);
  const StageTime stages[] = {{StageName(Stage::kQueue), timings.queue},
                              {StageName(Stage::kContext), timings.context},
                              {StageName(Stage::kModel), timings.model}};
  absl::Status outcome = Outcome();
  if (outcome.ok()) outcome = WriteResponse();
  // The answer may wait for its reader, so the rest is freed now.
  std::vector<LinkItem>().swap(items());
  graph().Forget();
  messages_.reset();
  const size_t bytes = outcome.ok() ? response_->Length() : 0;
  FinishWith(outcome, stages);
  return bytes;
}

absl::Status PredictLinksCall::WriteResponse() {
  SLICE_RETURN_IF_ERROR(
      BuildPredictLinksResponse(*this, messages_->response()));
  SLICE_RETURN_IF_ERROR(messages_->Serialize(response_));
  unread_.Hold(response_->Length());
  return absl::OkStatus();
}

void PredictLinksCall::Refuse(const absl::Status& status) {
  FinishWith(status, {});
}

void PredictLinksCall::AddTrailers(const JobTimings& timings) {
  const auto add = [this](const char* name, int64_t value) {
    context_->AddTrailingMetadata(name, std::to_string(value));
  };
  add("slice-queue-micros", absl::ToInt64Microseconds(timings.queue));
  add("slice-context-micros", absl::ToInt64Microseconds(timings.context));
  add("slice-model-micros", absl::ToInt64Microseconds(timings.model));
  add("slice-batch-size", static_cast<int64_t>(timings.batch_size));
}

void PredictLinksCall::FinishWith(const absl::Status& status,
                                  std::span<const StageTime> stages) {
  // Finish may delete this before it returns.
  record_.Handled(static_cast<int>(status.code()),
                  {.model = &model(), .stages = stages});
  Finish(ToGrpcStatus(status));
}

}  // namespace slice
