// gRPC's callbacks and the answers of the pipeline change the state of the
// stream. Every change goes through Update: under the lock, it makes the change
// and chooses the next actions (NextActions); then it releases the lock and
// does these actions.
//
// The stream holds its exchanges in the order of the requests. A read is
// started while fewer than kMaxStreamRequests are held; the first exchange is
// written when it is answered. At most one read and one write are under way.
// The stream finishes when it has a status to end with (the client half-closed,
// failed or is gone, or the server drains) and all exchanges are written, or
// dropped because the client is gone.
//
// A client may read slowly, but it must read: while an answer is charged to it
// (server/transport/unread_answers.h), each write has max_deadline, and the
// call is cancelled when one takes longer (WatchReader).
#include "server/rpc/stream_predict_links_call.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/limits.h"
#include "server/pipeline/awaited_job.h"
#include "server/rpc/request_validation.h"
#include "server/rpc/response_builder.h"
#include "server/rpc/wire_messages.h"
#include "server/transport/unread_answer.h"

namespace slice {

class StreamPredictLinksCall::Exchange final : public LinkJob {
 public:
  Exchange(std::unique_ptr<v1::PredictLinksRequest> request,
           std::shared_ptr<const ServedModel> model, const JobOrigin& origin,
           StreamPredictLinksCall* call)
      : LinkJob(request.get(), std::move(model), origin),
        owned_request_(std::move(request)),
        call_(call),
        // The stream watches the reader itself.
        unread_(&call->pipeline_->answers(), call->context_, origin.call.client,
                absl::InfiniteFuture()) {}

  size_t Reply() override {
    v1::PredictLinksResponse message;
    absl::Status status = Outcome();
    if (status.ok()) status = BuildPredictLinksResponse(*this, &message);
    if (status.ok()) status = SerializeMessage(message, &response);
    const size_t bytes = status.ok() ? response.Length() : 0;
    if (status.ok()) {
      Hold(status);
    } else {
      Refuse(status);
    }
    call_->Answered(this);
    return bytes;
  }

  // Makes a response in which every link has this status.
  void Refuse(const absl::Status& status) {
    v1::PredictLinksResponse message;
    BuildRefusedResponse(*this, status, &message);
    // Such a response is always small enough.
    SerializeMessage(message, &response).IgnoreError();
    Hold(status);
  }

  bool is_charged() const { return unread_.is_charged(); }

  grpc::ByteBuffer response;
  bool answered = false;  // guarded by the mutex of the stream

 private:
  // The response waits from now on, maybe long, so the rest is freed.
  void Hold(const absl::Status& status) {
    call_->core_->metrics->models().Answered(
        model().name, static_cast<int>(status.code()),
        call_->core_->clock->Now() - admitted());
    std::vector<LinkItem>().swap(items());
    graph().Forget();
    owned_request_.reset();
    unread_.Hold(response.Length());
  }

  std::unique_ptr<v1::PredictLinksRequest> owned_request_;  // until it answers
  StreamPredictLinksCall* const call_;
  UnreadAnswer unread_;
};

StreamPredictLinksCall::StreamPredictLinksCall(
    grpc::CallbackServerContext* context, const ServiceCore* core,
    LinkPipeline* pipeline, const RpcRecord& record, absl::Time deadline,
    std::function<void(StreamPredictLinksCall*)> on_done)
    : context_(context),
      core_(core),
      pipeline_(pipeline),
      record_(record),
      deadline_(deadline),
      on_done_(std::move(on_done)),
      unread_timer_(context) {
  Update([] {});
}

StreamPredictLinksCall::~StreamPredictLinksCall() = default;

template <typename Change>
void StreamPredictLinksCall::Update(Change change) {
  Actions actions;
  {
    MutexLock lock(&mutex_);
    change();
    actions = NextActions();
    WatchReader();
  }
  // Finish is chosen only while no write is under way. Once Finish was called,
  // no member may be used.
  if (actions.finish.has_value()) {
    // A read fails alike when the client half-closes and when it is gone.
    if (actions.finish->ok() && context_->IsCancelled()) {
      actions.finish = absl::CancelledError("the client is gone");
    }
    record_.Handled(static_cast<int>(actions.finish->code()));
    Finish(ToGrpcStatus(*actions.finish));
    return;
  }
  if (actions.write != nullptr) StartWrite(actions.write);
  if (actions.read) StartRead(&incoming_);
}

void StreamPredictLinksCall::Drain() {
  Update([this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    draining_ = true;
    if (!ending_.has_value()) {
      ending_ = absl::UnavailableError("the server is stopping");
    }
  });
}

void StreamPredictLinksCall::OnReadDone(bool ok) {
  absl::Status taken;
  if (ok) taken = Take(incoming_);
  incoming_.Clear();
  Update([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    reading_ = false;
    if (!ending_.has_value() && (!ok || !taken.ok())) ending_ = taken;
  });
}

absl::Status StreamPredictLinksCall::Take(const grpc::ByteBuffer& bytes) {
  SLICE_RETURN_IF_ERROR(
      core_->CheckStillAllowed(RpcMethod::kStreamPredictLinks, *context_));
  // Asked again for each request, because identities and quotas may change.
  const CallOrigin caller = core_->OriginOf(*context_);
  SLICE_RETURN_IF_ERROR(
      core_->CheckBounds(caller, QuotaKind::kLinks, bytes,
                         *v1::PredictLinksRequest::descriptor()));
  v1::PredictLinksRequest incoming;
  SLICE_RETURN_IF_ERROR(ParseMessage(bytes, &incoming));
  SLICE_RETURN_IF_ERROR(ValidateRequest(incoming));
  SLICE_ASSIGN_OR_RETURN(auto model, core_->RouteModel(caller, incoming));
  SLICE_RETURN_IF_ERROR(model->CheckScorer(incoming.scorer()));
  const absl::Time now = core_->clock->Now();
  const JobOrigin origin = {caller, now,
                            std::min(deadline_, now + core_->max_deadline)};
  auto request = std::make_unique<v1::PredictLinksRequest>(std::move(incoming));
  auto owned = std::make_unique<Exchange>(std::move(request), std::move(model),
                                          origin, this);
  Exchange* exchange = owned.get();
  {
    MutexLock lock(&mutex_);
    if (finished_) return absl::OkStatus();  // Drain ended the stream
    exchanges_.push_back(std::move(owned));
    if (broken_) exchange->Cancel();
  }
  // Once started, the exchange may be answered at any time. It stays in
  // exchanges_ while the read that brought it counts as under way.
  const absl::Status started =
      LacksVersion(*exchange)
          ? StartLater(pipeline_, exchange,
                       [this, exchange](const absl::Status& why) {
                         exchange->Refuse(why);
                         Answered(exchange);
                       })
          : pipeline_->Start(exchange);
  if (started.ok()) {
    quota_refusals_ = 0;
    return absl::OkStatus();
  }
  exchange->Refuse(started);
  {
    MutexLock lock(&mutex_);
    exchange->answered = true;
  }
  return EndsStream(started) ? started : absl::OkStatus();
}

bool StreamPredictLinksCall::EndsStream(const absl::Status& refusal) {
  if (absl::IsUnavailable(refusal)) return true;
  if (!IsQuotaRefusal(refusal)) return false;
  return ++quota_refusals_ > kMaxStreamRequests;
}

void StreamPredictLinksCall::Answered(Exchange* exchange) {
  Update([exchange] { exchange->answered = true; });
}

void StreamPredictLinksCall::OnWriteDone(bool ok) {
  Update([this, ok]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    writing_ = false;
    unread_timer_.Stop();
    exchanges_.pop_front();
    if (!ok) broken_ = true;
  });
}

void StreamPredictLinksCall::OnCancel() {
  Update([this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    broken_ = true;
    for (const auto& exchange : exchanges_) exchange->Cancel();
  });
}

// A write under way may be of a small answer, which is not charged, and keep
// large ones waiting.
void StreamPredictLinksCall::WatchReader() {
  if (!writing_ || unread_timer_.running() ||
      core_->max_deadline == absl::InfiniteDuration()) {
    return;
  }
  const bool is_charged =
      std::ranges::any_of(exchanges_, [](const auto& exchange) {
        return exchange->answered && exchange->is_charged();
      });
  if (is_charged) unread_timer_.Start(core_->max_deadline);
}

StreamPredictLinksCall::Actions StreamPredictLinksCall::NextActions() {
  Actions actions;
  if (finished_) return actions;
  if (broken_) {  // nobody reads the answers
    if (!ending_.has_value()) {
      ending_ = absl::CancelledError("the client is gone");
    }
    const size_t written = writing_ ? 1 : 0;
    while (exchanges_.size() > written && exchanges_.back()->answered) {
      exchanges_.pop_back();
    }
  } else if (!writing_ && !exchanges_.empty() && exchanges_.front()->answered) {
    writing_ = true;
    actions.write = &exchanges_.front()->response;
  }
  if (!ending_.has_value() && !reading_ &&
      exchanges_.size() < kMaxStreamRequests) {
    reading_ = true;
    actions.read = true;
  }
  // When the server drains, a read under way does not delay the end.
  if (ending_.has_value() && (!reading_ || draining_) && !writing_ &&
      exchanges_.empty()) {
    finished_ = true;
    actions.finish = *ending_;
  }
  return actions;
}

}  // namespace slice
