// Start parses and validates the request and posts the first Step to the queue
// of recommendations. Steps run on the workers of that queue. The first step
// resolves the question and ranks (Rank). Each later step explains a batch of
// links and sends them (Explain), until all are sent (Succeed) or something
// failed (End).
//
// The worker and gRPC meet in the list of replies, under the mutex: Send and
// End note what is to be sent, and Proceed starts the next write or the finish
// unless a write is under way. Only End sets the final status, so the call
// lives until the worker is done with it.
#include "server/rpc/recommend_links_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/graph/link_resolver.h"
#include "server/grpc_status.h"
#include "server/limits.h"
#include "server/pipeline/evidence_weighing.h"
#include "server/rpc/answer_trust.h"
#include "server/rpc/explanation.h"
#include "server/rpc/recommend_question.h"
#include "server/rpc/request_validation.h"
#include "server/rpc/wire_messages.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(200);
// The structural scorer ranks this many candidates in the time that one link
// with its context takes.
constexpr size_t kCandidatesPerLink = 50;

void FillRecommendation(const ModelOnGraph& served, const Recommended& link,
                        const LinkItem& item, Direction asked,
                        v1::Recommendation* out) {
  out->set_rank(static_cast<uint32_t>(link.rank));
  FillNode(served.graph,
           asked == Direction::kOut ? link.link.target : link.link.source,
           out->mutable_node());
  out->set_score(link.score);
  out->set_reranked(link.reranked);
  out->set_probability(link.prediction.probability);
  out->set_decision(link.prediction.decision);
  out->set_probability_among_kind(link.prediction.probability_among_kind);
  FillFlags(served, link.link, link.prediction, out->mutable_flags());
  out->set_metapath_count(FillMetapath(served, item, out->mutable_metapath()));
}

}  // namespace

size_t RankingCost(size_t candidates, size_t k) {
  return 1 + candidates / kCandidatesPerLink +
         std::max(k, LinkRecommender::kReranked);
}

RecommendLinksCall::RecommendLinksCall(const ServiceCore& core,
                                       LinkPipeline* pipeline,
                                       grpc::CallbackServerContext* context)
    : core_(core),
      pipeline_(pipeline),
      context_(context),
      record_(core.Begin(RpcMethod::kRecommendLinks, *context)),
      origin_(core.OriginOf(*context)),
      deadline_(core.DeadlineOf(*context, record_.start())),
      unread_(core.answers, context, origin_.client, deadline_) {}

RecommendLinksCall::~RecommendLinksCall() {
  const size_t graph_bytes = graph_.has_value() ? graph_->bytes() : 0;
  for (const size_t bytes : {request_bytes_, graph_bytes}) {
    if (bytes == 0) continue;
    pipeline_->admission().Release({.bytes = bytes, .client = origin_.client});
  }
}

RecommendLinksCall* RecommendLinksCall::Start(
    const ServiceCore& core, LinkPipeline* pipeline,
    grpc::CallbackServerContext* context, const grpc::ByteBuffer& request) {
  auto* call = new RecommendLinksCall(core, pipeline, context);
  // Once it is admitted, the call may end and be deleted at any time. After
  // that only its address is used.
  const absl::Status admitted = call->Admit(request);
  if (!admitted.ok()) call->End(admitted);
  return call;
}

absl::Status RecommendLinksCall::Admit(const grpc::ByteBuffer& request) {
  SLICE_RETURN_IF_ERROR(core_.CheckRoomForAnswer(origin_.client));
  SLICE_RETURN_IF_ERROR(core_.CheckQuota(origin_, QuotaKind::kRecommendations));
  SLICE_RETURN_IF_ERROR(
      core_.CheckBounds(origin_, QuotaKind::kRecommendations, request,
                        *v1::RecommendLinksRequest::descriptor()));
  SLICE_RETURN_IF_ERROR(ParseMessage(request, &request_));
  SLICE_RETURN_IF_ERROR(ValidateRequest(request_));
  SLICE_ASSIGN_OR_RETURN(model_, core_.FindModel(origin_, request_.model()));
  if (model_->recommender == nullptr) {
    return absl::UnimplementedError("this server does not recommend links");
  }
  graph_.emplace(model_->Graph(), request_.what_if());
  SLICE_RETURN_IF_ERROR(HoldRequest(request.Length()));
  const uint64_t version = request_.min_graph_version();
  if (version <= graph_->graph().graph_version()) return Post();
  // The call may end, and let its model go, before this returns.
  const std::shared_ptr<const ServedModel> model = model_;
  return pipeline_->waits().Add(
      *model, /*memory=*/{},  // the request is held already
      {.version = version,
       .deadline = deadline_,
       .cancelled = [this] { return cancelled_.load(); },
       .ready =
           [this](const absl::Status& status) {
             const absl::Status posted = status.ok() ? PostLater() : status;
             if (!posted.ok()) End(posted);
           },
       .host = origin_.client.host});
}

absl::Status RecommendLinksCall::HoldRequest(size_t wire_bytes) {
  // Its texts exist twice: in its bytes and in its parsed message.
  const size_t bytes =
      2 * wire_bytes +
      sizeof(v1::NodeRef) * static_cast<size_t>(request_.candidates_size());
  if (pipeline_->admission().TryHold(
          {.bytes = bytes, .client = origin_.client})) {
    request_bytes_ = bytes;
    return absl::OkStatus();
  }
  core_.metrics->ItemsShed(ShedReason::kBytesFull, 1);
  return WithRetryDelay(
      absl::ResourceExhaustedError(absl::StrCat(
          "the server has no room for the ", bytes,
          " bytes of this request; ask later, or for fewer candidates")),
      kRetryDelay);
}

absl::Status RecommendLinksCall::PostLater() {
  graph_->Renew(model_->Graph());
  return Post();
}

absl::Status RecommendLinksCall::Post() {
  const size_t cost = Cost();
  const double share = QuotaCost(cost);
  const ServiceCore& core = core_;
  const CallOrigin origin = origin_;
  const TaskOrder order = {origin.client, deadline_, cost};
  if (core.recommendations->TryPost(order, [this] { Step(); })) {
    core.quotas->Charge(origin.account, QuotaKind::kRecommendations, share);
    return absl::OkStatus();
  }
  core_.metrics->ItemsShed(ShedReason::kRecommendQueueFull, 1);
  return WithRetryDelay(absl::ResourceExhaustedError(
                            "too many recommendations are waiting; ask later"),
                        kRetryDelay);
}

size_t RecommendLinksCall::Cost() const {
  const size_t candidates = request_.candidates().empty()
                                ? graph_->graph().node_count()
                                : request_.candidates_size();
  return RankingCost(candidates, static_cast<size_t>(request_.k()));
}

double RecommendLinksCall::QuotaCost(size_t cost) const {
  const size_t usual =
      RankingCost(graph_->graph().node_count(), kDefaultRecommendations);
  return std::max(1.0, static_cast<double>(cost) / static_cast<double>(usual));
}

void RecommendLinksCall::Step() {
  absl::Status status = ranked_.has_value() ? Explain() : Rank();
  if (!status.ok()) return End(std::move(status));
  if (ranked_->done()) return Succeed();
  const size_t cost = std::min(LinkRecommender::kExplained,
                               ranked_->ends.size() - ranked_->explained);
  core_.recommendations->Continue({origin_.client, deadline_, cost},
                                  [this] { Step(); });
}

RecommendLimits RecommendLinksCall::Limits() const {
  return {core_.clock, deadline_, [this] { return cancelled_.load(); }};
}

absl::Status RecommendLinksCall::Rank() {
  // A request that waited too long is not worth resolving.
  SLICE_RETURN_IF_ERROR(core_.CheckWanted(cancelled_.load(), deadline_));
  queued_ = core_.clock->Now() - record_.start();
  if (!graph_->is_imagined()) model_->recommender->Follow(graph_->shared());
  SLICE_RETURN_IF_ERROR(pipeline_->MakeGraph(origin_, *graph_));
  SLICE_ASSIGN_OR_RETURN(question_,
                         ResolveRecommendQuestion(Served(), request_));
  if (question_.candidates.empty()) {
    ranked_.emplace();
    return Send(EmptyReply());
  }
  SLICE_ASSIGN_OR_RETURN(
      ranked_, model_->recommender->Rank(graph_->graph(), question_, Limits()));
  return absl::OkStatus();
}

absl::Status RecommendLinksCall::Explain() {
  SLICE_ASSIGN_OR_RETURN(std::vector<Recommended> links,
                         model_->recommender->Explain(
                             graph_->graph(), question_, Limits(), *ranked_));
  std::vector<LinkItem> items(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    items[i].link = links[i].link;
    items[i].prediction = links[i].prediction;
    items[i].encoded = std::move(links[i].encoded);
    items[i].attention = std::move(links[i].attention);
  }
  SLICE_RETURN_IF_ERROR(AddTokenEffects(Served(), question_.reading, items));
  for (size_t i = 0; i < links.size(); ++i) {
    v1::RecommendLinksResponse reply = EmptyReply();
    FillRecommendation(Served(), links[i], items[i],
                       question_.question.direction,
                       reply.mutable_recommendation());
    SLICE_RETURN_IF_ERROR(Send(reply));
  }
  return absl::OkStatus();
}

v1::RecommendLinksResponse RecommendLinksCall::EmptyReply() const {
  v1::RecommendLinksResponse reply;
  reply.set_bundle_id(model_->manifest.bundle_id);
  reply.set_graph_version(graph_->graph().graph_version());
  reply.set_scorer(std::string(ScorerName(question_.reading.scorer)));
  reply.set_candidate_count(question_.candidates.size());
  reply.set_best_so_far(ranked_->best_so_far);
  graph_->FillEffect(&reply);
  return reply;
}

std::vector<StageTime> RecommendLinksCall::Stages() const {
  if (!ranked_.has_value()) return {};
  const RecommendTimings& timings = ranked_->timings;
  return {{StageName(Stage::kQueue), queued_},
          {StageName(RecommendStage::kRank), timings.rank},
          {StageName(RecommendStage::kRerank), timings.rerank},
          {StageName(RecommendStage::kExplain), timings.explain}};
}

void RecommendLinksCall::Succeed() {
  if (!question_.candidates.empty()) {
    ServerMetrics& metrics = *core_.metrics;
    metrics.Recommended(question_.candidates.size(), ranked_->best_so_far);
    const auto add = [this](const char* trailer, absl::Duration elapsed) {
      context_->AddTrailingMetadata(
          trailer, std::to_string(absl::ToInt64Microseconds(elapsed)));
    };
    const RecommendTimings& timings = ranked_->timings;
    metrics.RecommendStageTook(RecommendStage::kRank, timings.rank);
    metrics.RecommendStageTook(RecommendStage::kRerank, timings.rerank);
    metrics.RecommendStageTook(RecommendStage::kExplain, timings.explain);
    add("slice-queue-micros", queued_);
    add("slice-rank-micros", timings.rank);
    add("slice-rerank-micros", timings.rerank);
    add("slice-explain-micros", timings.explain);
  }
  End(absl::OkStatus());
}

absl::Status RecommendLinksCall::Send(const v1::RecommendLinksResponse& reply) {
  grpc::ByteBuffer bytes;
  SLICE_RETURN_IF_ERROR(SerializeMessage(reply, &bytes));
  {
    MutexLock lock(&mutex_);
    unread_.Hold(bytes.Length());
    replies_.push_back(std::move(bytes));
  }
  Proceed();
  return absl::OkStatus();
}

void RecommendLinksCall::End(absl::Status status) {
  {
    MutexLock lock(&mutex_);
    end_ = std::move(status);
  }
  Proceed();
}

void RecommendLinksCall::Proceed() {
  const grpc::ByteBuffer* reply = nullptr;
  std::optional<absl::Status> end;
  {
    MutexLock lock(&mutex_);
    if (writing_ || finished_) return;
    if (!replies_.empty()) {
      reply = &replies_.front();
      writing_ = true;
    } else if (end_.has_value()) {
      end = end_;
      finished_ = true;
    }
  }
  if (reply != nullptr) return StartWrite(reply);
  if (!end.has_value()) return;
  // Finish may delete this before it returns.
  const std::vector<StageTime> stages = Stages();
  record_.Handled(static_cast<int>(end->code()),
                  {.model = model_.get(), .stages = stages});
  Finish(ToGrpcStatus(*end));
}

void RecommendLinksCall::OnWriteDone(bool ok) {
  // The worker may still work on this call, so the call finishes only after the
  // worker has called End.
  if (!ok) cancelled_.store(true);
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    unread_.Release(replies_.front().Length());
    replies_.pop_front();
    if (!ok) {
      replies_.clear();
      if (end_.has_value()) end_ = absl::CancelledError("the caller left");
    }
  }
  Proceed();
}

}  // namespace slice
