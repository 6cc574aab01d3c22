// A job passes these steps:
//   1. LinkAdmission takes it in, or refuses it with a reason and a time to
//   retry
//      after.
//   2. Schedule makes the items and puts them in the context queue.
//   3. Context workers take a few items at once. For each item they find the
//      ids (Resolve) and look for a cached answer (FillFromCache). Without one
//      they encode the context (Encode) and put the item in the model queue.
//   4. ModelExecutor scores batches and ends their items.
//   5. The last item of a job goes to the reply queue; a responder builds and
//      sends the reply and gives the room back to Admission.
// A job for which CanRunInline holds passes steps 3 to 5 on the caller's
// thread.
//
// Invariants: every item ends exactly once, by EndItem. Once the last item of a
// job has ended, only Respond touches the job. Admission bounds the items, so
// the queues do not; they refuse items only while they close.
#include "server/pipeline/link_pipeline.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/status_macros.h"
#include "server/graph/link_resolver.h"
#include "server/grpc_status.h"
#include "server/scheduling/bulk_turns.h"
#include "server/scheduling/observed_batch.h"

namespace slice {
namespace {

// The links that the pool keeps, a few megabytes. More links than these are
// encoded at the same time only when a queue is nearly full.
constexpr size_t kPooledLinks = 1024;

// A context worker takes a few links at once: enough to save locks and
// wake-ups, and few enough that new links do not wait long. The bulk lane waits
// for its share here (bulk_lane_waits), so it need not at the model stage.
constexpr BatchQueueOptions kContextOrder = {
    .max_batch_cost = 8, .max_bulk_batch_cost = 4, .bulk_lane_waits = true};

// How long a caller should wait when there is no room for the graph of a
// what-if question.
constexpr absl::Duration kGraphRetryDelay = absl::Milliseconds(200);

// A responder builds one reply at a time, so that the replies to one client do
// not delay those to others.
constexpr BatchQueueOptions kReplyOrder = {
    .max_batch_cost = 1, .max_bulk_batch_cost = 1, .quantum = 1};

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

BatchQueueOptions ModelOrder(const ServerOptions& options) {
  BatchQueueOptions order;
  order.max_batch_cost = options.max_batch_size;
  order.max_bulk_batch_cost = options.max_bulk_batch_size;
  return order;
}

// On a GPU the classes share by the order of the batches. On the CPU they share
// by the priorities of their threads.
std::vector<WorkLane> LanesOf(const std::string& device) {
  if (device == "cpu") return {WorkLane::kInteractive, WorkLane::kBulk};
  return {WorkLane::kAll};
}

size_t NodeCount(const ContextSubgraph& context) {
  return std::count_if(
      context.tokens.begin(), context.tokens.end(),
      [](const ContextToken& token) { return token.kind == TokenKind::kNode; });
}

size_t ScoredLinks(const LinkJob& job) {
  return std::ranges::count_if(
      job.items(), [](const LinkItem& item) { return item.status.ok(); });
}

// Drops all of an answer but its prediction once the explanations of the job
// are too large for a reply, which is then refused. So the explanations of one
// job take a bounded part of the memory.
void KeepWithinReply(LinkItem& item) {
  if (item.job->CountReplyBytes(item.AttentionBytes())) return;
  LinkAnswer kept;
  kept.prediction = item.prediction;
  static_cast<LinkAnswer&>(item) = std::move(kept);
}

}  // namespace

ScheduleLimits ScheduleLimitsOf(const ServerOptions& options) {
  return {{options.max_queue_items, options.max_queue_bytes},
          kContextOrder,
          ModelOrder(options),
          options.ContextWorkerCount(),
          options.ExecutorCount()};
}

LinkPipeline::LinkPipeline(const ServerOptions& options, Quotas* quotas,
                           ServerMetrics* metrics, const Clock* clock,
                           ScheduleObserver* observer)
    : context_worker_count_(options.ContextWorkerCount()),
      quotas_(quotas),
      metrics_(metrics),
      clock_(clock),
      observer_(observer),
      admission_({options.max_queue_items, options.max_queue_bytes}),
      link_admission_(&admission_, quotas, metrics, clock, observer),
      waits_(options.accept_updates || !options.feed.empty(), &admission_,
             metrics),
      answers_(&admission_, clock),
      results_(options.result_cache_bytes),
      encoded_(kPooledLinks),
      context_queue_(kContextOrder, clock),
      model_queue_(ModelOrder(options), clock),
      reply_queue_(kReplyOrder, clock) {
  responders_ = std::make_unique<WorkerThreads>(
      std::vector{WorkLane::kAll}, options.ResponderCount(),
      [this](WorkLane lane) { RunResponder(lane); }, /*niceness=*/0);
  ModelExecutorOptions executor;
  executor.threads = options.ExecutorCount();
  executor.lanes = LanesOf(options.device);
  executor.queue = &model_queue_;
  executor.admission = &admission_;
  executor.results = &results_;
  executor.encoded = &encoded_;
  executor.metrics = metrics;
  executor.clock = clock;
  executor.observer = observer;
  executor.end_item = [this](LinkItem& item, absl::Status status) {
    EndItem(item, std::move(status));
  };
  executor_ = std::make_unique<ModelExecutor>(std::move(executor));
  context_workers_ = std::make_unique<WorkerThreads>(
      LanesOf("cpu"), context_worker_count_,
      [this](WorkLane lane) { RunContextWorker(lane); });
}

LinkPipeline::~LinkPipeline() { Close(); }

void LinkPipeline::TryShadowsOf(const ModelRegistry* registry) {
  shadows_ = std::make_unique<ShadowJobs>(
      registry, metrics_, clock_, [this](LinkJob* job) { return Start(job); });
}

absl::Status LinkPipeline::Start(LinkJob* job) {
  SLICE_RETURN_IF_ERROR(link_admission_.Admit(job));
  return Schedule(job);
}

absl::Status LinkPipeline::StartOrRun(LinkJob* job) {
  SLICE_RETURN_IF_ERROR(link_admission_.Admit(job));
  if (!CanRunInline(*job)) return Schedule(job);
  RunInline(job);
  return absl::OkStatus();
}

absl::Status LinkPipeline::Schedule(LinkJob* job) {
  const RequestedWork work = job->work();
  const std::vector<LinkItem*> items = job->MakeItems();
  if (observer_ != nullptr) {
    observer_->Arrived(work, job->order(),
                       std::vector<WorkItem*>(items.begin(), items.end()));
  }
  // Once its items are scheduled, the job may be answered and deleted.
  const absl::Status scheduled = context_queue_.Schedule(items);
  if (!scheduled.ok()) {  // only while closing
    admission_.Release(work);
    return absl::UnavailableError("the server is stopping");
  }
  return absl::OkStatus();
}

bool LinkPipeline::CanRunInline(const LinkJob& job) const {
  return job.work().items == 1 && !job.explain() &&
         job.work().request_class == RequestClass::kInteractive &&
         job.model().device == "cpu" && admission_.items() == 1;
}

void LinkPipeline::RunInline(LinkJob* job) {
  job->set_run_by_caller();
  job->MakeItems();
  LinkItem& item = job->items().front();
  const absl::Time start = clock_->Now();
  if (!ResolveOrEnd(item, start)) return;
  Encode(item, start);
  executor_->RunOne(item);
}

void LinkPipeline::RunContextWorker(WorkLane lane) {
  const bool is_bulk = lane == WorkLane::kBulk;
  BulkTurns turns(clock_, admission_.options().bulk_share);
  for (LinkBatch batch; context_queue_.Take(lane, &batch);) {
    if (is_bulk) turns.Begin();
    PrepareItems(batch);
    if (is_bulk) turns.End(admission_.interactive_requests());
  }
}

void LinkPipeline::PrepareItems(const LinkBatch& batch) {
  ObservedBatch observed(observer_, WorkStage::kContext, batch.work());
  const absl::Time start = clock_->Now();
  for (LinkItem* item : batch.dropped()) {
    EndItem(*item, item->job->WhyDropped(start));
  }
  std::vector<LinkItem*> prepared;
  for (LinkItem* item : batch.items()) {
    if (ResolveOrEnd(*item, start)) prepared.push_back(item);
  }
  // The graph's rows of all links are prefetched before the first row is read.
  for (const LinkItem* item : prepared) {
    item->job->graph().graph().Prefetch(
        std::array{item->link.source, item->link.target});
  }
  absl::Time begin = clock_->Now();
  const absl::Duration each =
      (begin - start) / std::max<int64_t>(1, std::ssize(prepared));
  for (LinkItem* item : prepared) {
    Encode(*item, begin - each);
    begin = item->enqueued;
  }
  observed.End();
  // Fails only while the pipeline closes.
  const absl::Status scheduled = model_queue_.Schedule(prepared);
  if (scheduled.ok()) return;
  for (LinkItem* item : prepared) EndItem(*item, scheduled);
}

bool LinkPipeline::ResolveOrEnd(LinkItem& item, absl::Time start) {
  absl::Status status = Resolve(item, start);
  if (status.ok() && !FillFromCache(item)) return true;
  EndItem(item, std::move(status));
  return false;
}

absl::Status LinkPipeline::MakeGraph(const CallOrigin& caller,
                                     AskedGraph& graph) {
  if (!graph.is_imagined()) return absl::OkStatus();
  AskedGraph::Permissions permissions;
  permissions.may_search = [&] {
    const absl::Status allowed =
        quotas_->Check(caller.account, QuotaKind::kSearches);
    if (allowed.ok()) quotas_->Charge(caller.account, QuotaKind::kSearches, 1);
    return allowed.ok();
  };
  permissions.take_bytes = [&](size_t bytes) {
    if (admission_.TryHold({.bytes = bytes, .client = caller.client})) {
      return absl::OkStatus();
    }
    return WithRetryDelay(
        absl::ResourceExhaustedError(
            "the server has no room for the graph of a what-if question"),
        kGraphRetryDelay);
  };
  return graph.Make(permissions);
}

absl::Status LinkPipeline::Resolve(LinkItem& item, absl::Time start) {
  LinkJob& job = *item.job;
  item.queue_time = start - job.admitted();
  metrics_->StageTook(Stage::kQueue, item.queue_time);
  SLICE_RETURN_IF_ERROR(job.CheckWanted(start));
  SLICE_RETURN_IF_ERROR(MakeGraph(job.caller(), job.graph()));
  const GraphSnapshot& graph = job.graph().graph();
  const v1::LinkRef& asked = job.request().links(static_cast<int>(item.index));
  ResolvedLink resolved = ResolveLink(graph, asked, 0);
  if (!resolved.status.ok()) {
    // Without a quota for the search, the answer names no similar names.
    if (item.job->TakeSuggestion() &&
        quotas_->Check(job.caller().account, QuotaKind::kSearches).ok()) {
      quotas_->Charge(job.caller().account, QuotaKind::kSearches, 1);
      resolved = ResolveLink(graph, asked);
    }
    if (resolved.fault == LinkPart::kRelation) {
      metrics_->UnknownRelation();
    } else {
      metrics_->UnknownNode();
    }
    return resolved.status;
  }
  item.link = resolved.link;
  return absl::OkStatus();
}

bool LinkPipeline::FillFromCache(LinkItem& item) {
  const LinkJob& job = *item.job;
  if (!results_.enabled() || job.graph().is_imagined()) return false;
  const auto answer = results_.Find(job.KeyOf(item.link));
  metrics_->ResultLookedUp(answer != nullptr);
  if (answer == nullptr) return false;
  static_cast<LinkAnswer&>(item) = *answer;
  item.Read(job.reading());
  return true;
}

void LinkPipeline::Encode(LinkItem& item, absl::Time start) {
  const LinkJob& job = *item.job;
  const ServedModel& model = job.model();
  item.encoded = encoded_.Take();
  model.encoder->Encode(job.graph().graph(), item.link, item.encoded);
  for (const ContextSubgraph& context : item.encoded.contexts) {
    metrics_->ContextCut(NodeCount(context), context.truncated);
  }
  item.enqueued = clock_->Now();
  item.context_time = item.enqueued - start;
  metrics_->StageTook(Stage::kContext, item.context_time);
  admission_.ReportCost(WorkStage::kContext, job.order().request_class,
                        job.order().cost, context_worker_count_,
                        item.context_time);
}

void LinkPipeline::EndItem(LinkItem& item, absl::Status status) {
  LinkJob* job = item.job;
  item.status = std::move(status);
  metrics_->ItemEnded(job->work().request_class, OutcomeOf(item.status));
  const bool scored = item.status.ok();
  if (scored) metrics_->Scored(item.prediction.probability);
  (scored ? job->model().scored : job->model().failed)
      .fetch_add(1, std::memory_order_relaxed);
  if (job->explain()) KeepWithinReply(item);
  if (!job->EndItem()) return;
  // The queue refuses the item only while it closes.
  LinkItem* const last = &item;
  if (job->run_by_caller() || !reply_queue_.Schedule({&last, 1}).ok()) {
    Respond(job);
  }
}

void LinkPipeline::RunResponder(WorkLane lane) {
  for (LinkBatch batch; reply_queue_.Take(lane, &batch);) {
    // A job is answered even when it is late or cancelled.
    for (const LinkItem* last : batch.items()) Respond(last->job);
    for (const LinkItem* last : batch.dropped()) Respond(last->job);
  }
}

void LinkPipeline::Respond(LinkJob* job) {
  const absl::Time start = clock_->Now();
  const RequestedWork work = job->work();
  const size_t graph_bytes = job->graph().bytes();
  if (!job->cancelled()) {
    admission_.ReportWait(work.request_class, job->workload_time(),
                          start - job->admitted());
  }
  if (shadows_ != nullptr) shadows_->Start(*job);
  const v1::ExplanationLevel level = job->request().explanation_level();
  const size_t scored = ScoredLinks(*job);
  const size_t bytes = job->Reply();  // may delete the job
  link_admission_.Answered(level, scored, bytes);
  metrics_->StageTook(Stage::kRespond, clock_->Now() - start);
  if (graph_bytes > 0) {
    admission_.Release({.bytes = graph_bytes, .client = work.client});
  }
  admission_.Release(work);
}

void LinkPipeline::StartDraining() {
  admission_.StartDraining();
  waits_.End();
}

void LinkPipeline::Close() {
  StartDraining();
  // The queues are closed in the order of the stages, because each stage
  // empties itself into the next.
  context_queue_.Close();
  context_workers_->Join();
  model_queue_.Close();
  executor_.reset();
  reply_queue_.Close();
  responders_->Join();
}

}  // namespace slice
