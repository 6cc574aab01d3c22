#include "server/link_pipeline.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/link_resolver.h"

namespace slice {
namespace {

// Bounds on the delay a refused client is told to wait.
constexpr absl::Duration kMinRetryDelay = absl::Milliseconds(50);
constexpr absl::Duration kMaxRetryDelay = absl::Seconds(5);

ItemOutcome OutcomeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return ItemOutcome::kScored;
    case absl::StatusCode::kNotFound:
      return ItemOutcome::kNotFound;
    case absl::StatusCode::kFailedPrecondition:
      return ItemOutcome::kAmbiguous;
    case absl::StatusCode::kDeadlineExceeded:
      return ItemOutcome::kExpired;
    case absl::StatusCode::kCancelled:
      return ItemOutcome::kCancelled;
    default:
      return ItemOutcome::kFailed;
  }
}

size_t NodeCount(const ContextSubgraph& context) {
  return std::count_if(
      context.tokens.begin(), context.tokens.end(),
      [](const ContextToken& token) { return token.kind == TokenKind::kNode; });
}

}  // namespace

LinkPipeline::LinkPipeline(const ServerOptions& options, ServerMetrics* metrics,
                           const Clock* clock)
    : options_(options),
      metrics_(metrics),
      clock_(clock),
      admission_(options.max_queue_items),
      scheduler_({options.max_batch_size, options.max_queue_items}, clock) {
  // Every queue holds all admitted items, so that none can refuse one.
  responder_ = std::make_unique<TaskQueue>(1, options.max_queue_items);
  ModelExecutorOptions executor;
  executor.threads = options.ExecutorCount();
  executor.scheduler = &scheduler_;
  executor.admission = &admission_;
  executor.metrics = metrics;
  executor.clock = clock;
  executor.end_item = [this](const LinkTask& task, absl::Status status) {
    EndItem(task.job(), task.index(), std::move(status));
  };
  executor_ = std::make_unique<ModelExecutor>(std::move(executor));
  context_workers_ = std::make_unique<TaskQueue>(options.ContextWorkerCount(),
                                                 options.max_queue_items);
}

LinkPipeline::~LinkPipeline() { Close(); }

absl::Status LinkPipeline::Start(LinkJob* job) {
  const size_t items = job->items().size();
  switch (admission_.TryAdmit(items)) {
    case AdmissionResult::kAdmitted:
      break;
    case AdmissionResult::kDraining:
      metrics_->ItemsShed(ShedReason::kDraining, items);
      return absl::UnavailableError("the server is stopping");
    case AdmissionResult::kQueueFull:
      metrics_->ItemsShed(ShedReason::kQueueFull, items);
      return WithRetryDelay(
          absl::ResourceExhaustedError(
              absl::StrCat("the server is full: ", admission_.items(),
                           " of at most ", options_.max_queue_items,
                           " links are waiting, ", items, " more do not fit")),
          std::clamp(admission_.PredictedWait(), kMinRetryDelay,
                     kMaxRetryDelay));
  }
  // The job may be answered and gone once its last item is posted: `items` and
  // not the job bounds the loop.
  for (size_t index = 0; index < items; ++index) {
    if (!context_workers_->TryPost(
            [this, job, index] { PrepareItem(job, index); })) {
      EndItem(job, index, absl::UnavailableError("the server is stopping"));
    }
  }
  return absl::OkStatus();
}

void LinkPipeline::PrepareItem(LinkJob* job, size_t index) {
  const absl::Time start = clock_->Now();
  LinkItem& item = job->items()[index];
  item.queue_time = start - job->admitted();
  metrics_->StageTook(Stage::kQueue, item.queue_time);
  EncodedLink encoded;
  absl::Status status = Encode(job, index, start, encoded);
  if (status.ok()) {
    std::unique_ptr<BatchTask> task = std::make_unique<LinkTask>(
        job, index, std::move(encoded), clock_->Now());
    status = scheduler_.Schedule(&task);
  }
  if (!status.ok()) EndItem(job, index, std::move(status));
}

absl::Status LinkPipeline::Encode(LinkJob* job, size_t index, absl::Time start,
                                  EncodedLink& encoded) {
  SLICE_RETURN_IF_ERROR(job->CheckWanted(start));
  const ServedModel& model = job->model();
  const ResolvedLink resolved = ResolveLink(
      *model.snapshot, job->request().links(static_cast<int>(index)));
  if (!resolved.status.ok()) {
    if (resolved.fault == LinkPart::kRelation) {
      metrics_->UnknownRelation();
    } else {
      metrics_->UnknownNode();
    }
    return resolved.status;
  }
  LinkItem& item = job->items()[index];
  item.link = resolved.link;
  encoded = model.encoder->Encode(*model.snapshot, resolved.link);
  for (const ContextSubgraph& context : encoded.contexts) {
    metrics_->ContextCut(NodeCount(context), context.truncated);
  }
  item.context_time = clock_->Now() - start;
  metrics_->StageTook(Stage::kContext, item.context_time);
  admission_.ReportCost(WorkStage::kContext, 1, options_.ContextWorkerCount(),
                        item.context_time);
  return absl::OkStatus();
}

void LinkPipeline::EndItem(LinkJob* job, size_t index, absl::Status status) {
  LinkItem& item = job->items()[index];
  item.status = std::move(status);
  CountItem(item);
  if (!job->EndItem()) return;
  // Refused only while closing.
  if (!responder_->TryPost([this, job] { Respond(job); })) Respond(job);
}

void LinkPipeline::CountItem(const LinkItem& item) {
  metrics_->ItemEnded(OutcomeOf(item.status));
  if (item.status.ok()) metrics_->Scored(item.prediction.probability);
}

void LinkPipeline::Respond(LinkJob* job) {
  const absl::Time start = clock_->Now();
  const size_t items = job->items().size();
  job->Reply();
  metrics_->StageTook(Stage::kRespond, clock_->Now() - start);
  admission_.Release(items);
}

void LinkPipeline::StartDraining() { admission_.StartDraining(); }

void LinkPipeline::Close() {
  StartDraining();
  // In the order of the stages: each empties itself into the next.
  context_workers_->Close();
  scheduler_.Close();
  executor_.reset();
  responder_->Close();
}

}  // namespace slice
