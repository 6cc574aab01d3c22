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

// A context worker takes a few links at once: fewer locks and wake-ups, and no
// long wait for who comes meanwhile.
constexpr FairQueueOptions kContextOrder = {.max_batch_cost = 8,
                                            .max_bulk_batch_cost = 4};

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

ShedReason ReasonOf(AdmissionResult result) {
  switch (result) {
    case AdmissionResult::kBytesFull:
      return ShedReason::kBytesFull;
    case AdmissionResult::kTooLate:
      return ShedReason::kTooLate;
    case AdmissionResult::kDraining:
      return ShedReason::kDraining;
    default:
      return ShedReason::kQueueFull;
  }
}

FairQueueOptions ModelOrder(const ServerOptions& options) {
  FairQueueOptions order;
  order.max_batch_cost = options.max_batch_size;
  order.max_bulk_batch_cost = options.max_bulk_batch_size;
  return order;
}

size_t NodeCount(const ContextSubgraph& context) {
  return std::count_if(
      context.tokens.begin(), context.tokens.end(),
      [](const ContextToken& token) { return token.kind == TokenKind::kNode; });
}

}  // namespace

ScheduleLimits ScheduleLimitsOf(const ServerOptions& options) {
  return {{options.max_queue_items, options.max_queue_bytes},
          kContextOrder,
          ModelOrder(options),
          options.ContextWorkerCount(),
          options.ExecutorCount()};
}

LinkPipeline::LinkPipeline(const ServerOptions& options, ServerMetrics* metrics,
                           const Clock* clock, ScheduleObserver* observer)
    : context_worker_count_(options.ContextWorkerCount()),
      metrics_(metrics),
      clock_(clock),
      observer_(observer),
      admission_({options.max_queue_items, options.max_queue_bytes}),
      contexts_({kContextOrder, options.max_queue_items}, clock),
      scheduler_({ModelOrder(options), options.max_queue_items}, clock) {
  // Every queue holds all admitted items, so that none can refuse one.
  responders_ = std::make_unique<TaskQueue>(options.ResponderCount(),
                                            options.max_queue_items);
  ModelExecutorOptions executor;
  executor.threads = options.ExecutorCount();
  executor.scheduler = &scheduler_;
  executor.admission = &admission_;
  executor.metrics = metrics;
  executor.clock = clock;
  executor.observer = observer;
  executor.end_item = [this](LinkItem& item, absl::Status status) {
    EndItem(item, std::move(status));
  };
  executor_ = std::make_unique<ModelExecutor>(std::move(executor));
  for (int i = 0; i < context_worker_count_; ++i) {
    context_workers_.emplace_back([this] { RunContextWorker(); });
  }
}

LinkPipeline::~LinkPipeline() { Close(); }

absl::Status LinkPipeline::Start(LinkJob* job) {
  const RequestedWork& work = job->work();
  const AdmissionResult result =
      admission_.TryAdmit(work, job->deadline() - clock_->Now());
  if (result != AdmissionResult::kAdmitted) return Refuse(*job, result);
  std::vector<WorkItem*> items;
  items.reserve(job->items().size());
  for (LinkItem& item : job->items()) items.push_back(&item);
  if (observer_ != nullptr) observer_->Arrived(work, job->order(), items);
  // Once scheduled the job may be answered and gone.
  const absl::Status scheduled = contexts_.Schedule(items);
  if (!scheduled.ok()) {  // only while closing
    admission_.Release(work);
    return absl::UnavailableError("the server is stopping");
  }
  return absl::OkStatus();
}

absl::Status LinkPipeline::Refuse(const LinkJob& job, AdmissionResult result) {
  const RequestedWork& work = job.work();
  const absl::Duration wait = admission_.PredictedWait(work.request_class);
  const ShedReason reason = ReasonOf(result);
  metrics_->ItemsShed(reason, work.items);
  shed_log_.Add({clock_->Now(), reason, work, wait});
  if (observer_ != nullptr) observer_->Arrived(work, job.order(), {});
  if (result == AdmissionResult::kDraining) {
    return absl::UnavailableError("the server is stopping");
  }
  const AdmissionOptions& limits = admission_.options();
  std::string why;
  if (result == AdmissionResult::kItemsFull) {
    why = absl::StrCat("the server is full: ", admission_.items(),
                       " of at most ", limits.max_items, " links are waiting, ",
                       work.items, " more do not fit");
  } else if (result == AdmissionResult::kBytesFull) {
    why =
        absl::StrCat("the server is full: ", admission_.bytes(), " of at most ",
                     limits.max_bytes, " bytes of requests are waiting, ",
                     work.bytes, " more do not fit");
  } else {
    why = absl::StrCat("the deadline would pass first: ", work.items,
                       " links would wait ", absl::FormatDuration(wait),
                       " behind others; ask later, or for less, or with a "
                       "later deadline");
  }
  return WithRetryDelay(absl::ResourceExhaustedError(why),
                        std::clamp(wait, kMinRetryDelay, kMaxRetryDelay));
}

void LinkPipeline::RunContextWorker() {
  for (WorkBatch batch; contexts_.Take(&batch);) PrepareItems(batch);
}

void LinkPipeline::PrepareItems(const WorkBatch& batch) {
  ObservedBatch observed(observer_, WorkStage::kContext, batch);
  absl::Time start = clock_->Now();
  for (WorkItem* work : batch.dropped) {
    auto& item = static_cast<LinkItem&>(*work);
    EndItem(item, item.job->WhyDropped(start));
  }
  std::vector<WorkItem*> prepared;
  for (WorkItem* work : batch.items) {
    auto& item = static_cast<LinkItem&>(*work);
    absl::Status status = Encode(item, start);
    start = clock_->Now();
    item.enqueued = start;
    if (status.ok()) {
      prepared.push_back(&item);
    } else {
      EndItem(item, std::move(status));
    }
  }
  observed.End();
  // The queue holds whatever was admitted and closes after this worker ends.
  const absl::Status scheduled = scheduler_.Schedule(prepared);
  if (scheduled.ok()) return;
  for (WorkItem* work : prepared) {
    EndItem(static_cast<LinkItem&>(*work), scheduled);
  }
}

absl::Status LinkPipeline::Encode(LinkItem& item, absl::Time start) {
  const LinkJob& job = *item.job;
  item.queue_time = start - job.admitted();
  metrics_->StageTook(Stage::kQueue, item.queue_time);
  SLICE_RETURN_IF_ERROR(job.CheckWanted(start));
  const ServedModel& model = job.model();
  const ResolvedLink resolved = ResolveLink(
      *model.snapshot, job.request().links(static_cast<int>(item.index)));
  if (!resolved.status.ok()) {
    if (resolved.fault == LinkPart::kRelation) {
      metrics_->UnknownRelation();
    } else {
      metrics_->UnknownNode();
    }
    return resolved.status;
  }
  item.link = resolved.link;
  item.encoded = model.encoder->Encode(*model.snapshot, resolved.link);
  for (const ContextSubgraph& context : item.encoded.contexts) {
    metrics_->ContextCut(NodeCount(context), context.truncated);
  }
  item.context_time = clock_->Now() - start;
  metrics_->StageTook(Stage::kContext, item.context_time);
  admission_.ReportCost(WorkStage::kContext, job.order().cost,
                        context_worker_count_, item.context_time);
  return absl::OkStatus();
}

void LinkPipeline::EndItem(LinkItem& item, absl::Status status) {
  LinkJob* job = item.job;
  item.status = std::move(status);
  metrics_->ItemEnded(job->work().request_class, OutcomeOf(item.status));
  if (item.status.ok()) metrics_->Scored(item.prediction.probability);
  if (!job->EndItem()) return;
  // Refused only while closing.
  if (!responders_->TryPost([this, job] { Respond(job); })) Respond(job);
}

void LinkPipeline::Respond(LinkJob* job) {
  const absl::Time start = clock_->Now();
  const RequestedWork work = job->work();
  job->Reply();
  metrics_->StageTook(Stage::kRespond, clock_->Now() - start);
  admission_.Release(work);
}

void LinkPipeline::StartDraining() { admission_.StartDraining(); }

void LinkPipeline::Close() {
  StartDraining();
  // In the order of the stages: each empties itself into the next.
  contexts_.Close();
  for (std::thread& worker : context_workers_) worker.join();
  context_workers_.clear();
  scheduler_.Close();
  executor_.reset();
  responders_->Close();
}

}  // namespace slice
