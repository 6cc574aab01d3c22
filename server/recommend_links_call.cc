#include "server/recommend_links_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/status_macros.h"
#include "server/explanation.h"
#include "server/grpc_status.h"
#include "server/link_resolver.h"
#include "server/recommend_question.h"
#include "server/request_validation.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(200);

void FillRecommendation(const ServedModel& model, Recommended link,
                        Direction asked, v1::Recommendation* out) {
  out->set_rank(static_cast<uint32_t>(link.rank));
  FillNode(*model.snapshot,
           asked == Direction::kOut ? link.link.target : link.link.source,
           out->mutable_node());
  out->set_score(link.score);
  out->set_reranked(link.reranked);
  out->set_probability(link.prediction.probability);
  out->set_decision(link.prediction.decision);
  out->set_probability_among_kind(link.prediction.probability_among_kind);
  LinkItem item;
  item.link = link.link;
  item.encoded = std::move(link.encoded);
  item.attention = std::move(link.attention);
  out->set_metapath_count(FillMetapath(model, item, out->mutable_metapath()));
}

}  // namespace

RecommendLinksCall::RecommendLinksCall(const ServiceCore& core,
                                       grpc::CallbackServerContext* context,
                                       const v1::RecommendLinksRequest* request,
                                       const RpcRecord& record,
                                       absl::Time deadline)
    : core_(core),
      context_(context),
      request_(request),
      record_(record),
      deadline_(deadline) {}

RecommendLinksCall* RecommendLinksCall::Start(
    const ServiceCore& core, grpc::CallbackServerContext* context,
    const v1::RecommendLinksRequest* request, const RpcRecord& record,
    absl::Time deadline) {
  auto* call = new RecommendLinksCall(core, context, request, record, deadline);
  // Once admitted the call may end at any time: it is only returned.
  const absl::Status admitted = call->Admit();
  if (!admitted.ok()) call->End(admitted);
  return call;
}

absl::Status RecommendLinksCall::Admit() {
  SLICE_RETURN_IF_ERROR(ValidateRequest(*request_));
  SLICE_ASSIGN_OR_RETURN(model_, core_.registry->Find(request_->model()));
  if (model_->recommender == nullptr) {
    return absl::UnimplementedError("this server does not recommend links");
  }
  if (core_.recommendations->TryPost([this] { Run(); })) {
    return absl::OkStatus();
  }
  core_.metrics->ItemsShed(ShedReason::kRecommendQueueFull, 1);
  return WithRetryDelay(
      absl::ResourceExhaustedError("too many recommendations are waiting"),
      kRetryDelay);
}

void RecommendLinksCall::Run() { End(Recommend()); }

absl::Status RecommendLinksCall::Recommend() {
  const absl::Time start = core_.clock->Now();
  // What waited too long is not worth resolving.
  if (cancelled_.load()) return absl::CancelledError("the caller left");
  if (start >= deadline_) {
    return absl::DeadlineExceededError(
        "the deadline passed before a worker was free");
  }
  SLICE_ASSIGN_OR_RETURN(const RecommendQuestion question,
                         ResolveRecommendQuestion(*model_, *request_));
  v1::RecommendLinksResponse reply;
  reply.set_bundle_id(model_->manifest.bundle_id);
  reply.set_graph_version(model_->snapshot->graph_version());
  reply.set_scorer(std::string(ScorerName(question.reading.scorer)));
  reply.set_candidate_count(question.candidates.size());
  if (question.candidates.empty()) {
    Send(std::move(reply));
    return absl::OkStatus();
  }
  const RecommendLimits limits = {core_.clock, deadline_,
                                  [this] { return cancelled_.load(); }};
  SLICE_ASSIGN_OR_RETURN(const RecommendTimings timings,
                         model_->recommender->Recommend(
                             question, limits, [&](RecommendPiece piece) {
                               reply.set_best_so_far(piece.best_so_far);
                               for (Recommended& link : piece.links) {
                                 v1::RecommendLinksResponse next = reply;
                                 FillRecommendation(
                                     *model_, std::move(link),
                                     question.question.direction,
                                     next.mutable_recommendation());
                                 Send(std::move(next));
                               }
                             }));
  ServerMetrics& metrics = *core_.metrics;
  metrics.Recommended(question.candidates.size(), timings.best_so_far);
  const auto took = [&](RecommendStage stage, const char* trailer,
                        absl::Duration elapsed) {
    metrics.RecommendStageTook(stage, elapsed);
    context_->AddTrailingMetadata(
        trailer, std::to_string(absl::ToInt64Microseconds(elapsed)));
  };
  context_->AddTrailingMetadata(
      "slice-queue-micros",
      std::to_string(absl::ToInt64Microseconds(start - record_.start())));
  took(RecommendStage::kRank, "slice-rank-micros", timings.rank);
  took(RecommendStage::kRerank, "slice-rerank-micros", timings.rerank);
  took(RecommendStage::kExplain, "slice-explain-micros", timings.explain);
  return absl::OkStatus();
}

void RecommendLinksCall::Send(v1::RecommendLinksResponse reply) {
  if (cancelled_.load()) return;
  {
    MutexLock lock(&mutex_);
    replies_.push_back(std::move(reply));
  }
  Proceed();
}

void RecommendLinksCall::End(absl::Status status) {
  bool waiting = false;
  {
    MutexLock lock(&mutex_);
    end_ = std::move(status);
    waiting = !replies_.empty();
  }
  if (waiting) WatchReader();
  Proceed();
}

void RecommendLinksCall::Proceed() {
  const v1::RecommendLinksResponse* reply = nullptr;
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
  record_.Handled(static_cast<int>(end->code()));
  Finish(ToGrpcStatus(*end));
}

void RecommendLinksCall::OnWriteDone(bool ok) {
  // The worker may still be at it: only its End finishes.
  if (!ok) cancelled_.store(true);
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    replies_.pop_front();
    if (!ok) {
      replies_.clear();
      if (end_.has_value()) end_ = absl::CancelledError("the caller left");
    }
  }
  Proceed();
}

void RecommendLinksCall::WatchReader() {
  users_.fetch_add(1);
  reader_alarm_.Set(absl::ToChronoTime(deadline_), [this](bool expired) {
    if (expired) StopWaiting();
    Release();
  });
}

void RecommendLinksCall::StopWaiting() {
  // Held so that gRPC does not let go of the context meanwhile; OnCancel does
  // not take it.
  MutexLock lock(&mutex_);
  if (!done_) context_->TryCancel();
}

void RecommendLinksCall::OnDone() {
  {
    MutexLock lock(&mutex_);
    done_ = true;
  }
  reader_alarm_.Cancel();
  Release();
}

void RecommendLinksCall::Release() {
  if (users_.fetch_sub(1) == 1) delete this;
}

}  // namespace slice
