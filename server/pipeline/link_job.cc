// Derives from a request what the stages need: its class and cost, the memory
// it takes, the reading of the model's outputs. Everything is computed at
// construction, before admission, and must stay cheap: a full server makes jobs
// only to refuse them. Items are made after admission.
#include "server/pipeline/link_job.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "model/evidence_effects.h"
#include "server/limits.h"

namespace slice {
namespace {

// The memory that a link takes beside its texts.
constexpr size_t kBytesPerLink =
    sizeof(LinkItem) + sizeof(v1::LinkRef) + 2 * sizeof(v1::NodeRef);

OutputReading ReadingFor(const ServedModel& model,
                         const v1::PredictLinksRequest& request) {
  OutputReading reading = model.manifest.reading;
  if (!request.scorer().empty()) {
    reading.scorer = ParseScorer(request.scorer()).value_or(reading.scorer);
  }
  reading.prior = request.prior();
  return reading;
}

// Runs of the network per link: one, and with EXPLANATION_LEVEL_FULL those for
// its evidence.
size_t CostOf(const ServedModel& model, v1::ExplanationLevel level) {
  if (level != v1::EXPLANATION_LEVEL_FULL) return 1;
  const int nodes = std::max(0, model.manifest.context.max_nodes);
  return 1 + MostEvidenceRuns(nodes);
}

ServiceOrder OrderOf(const v1::PredictLinksRequest& request,
                     const ServedModel& model, const JobOrigin& origin) {
  ServiceOrder order;
  order.key = {&model,
               request.explanation_level() >= v1::EXPLANATION_LEVEL_CONTEXT};
  order.request_class =
      RequestClassOf(request.request_class(), request.links_size());
  order.client = origin.call.client;
  order.deadline = origin.deadline;
  order.cost = CostOf(model, request.explanation_level());
  if (request.has_what_if()) ++order.cost;  // its graph has to be made
  return order;
}

RequestedWork WorkOf(const v1::PredictLinksRequest& request,
                     const ServiceOrder& order) {
  RequestedWork work;
  work.request_class = order.request_class;
  work.client = order.client;
  work.items = static_cast<size_t>(request.links_size());
  work.cost = work.items * order.cost;
  // The texts of a request exist twice: in its bytes and in its parsed message.
  work.bytes = 2 * request.ByteSizeLong() + work.items * kBytesPerLink;
  return work;
}

}  // namespace

RequestClass RequestClassOf(v1::RequestClass asked, int links) {
  switch (asked) {
    case v1::REQUEST_CLASS_INTERACTIVE:
      return RequestClass::kInteractive;
    case v1::REQUEST_CLASS_BULK:
      return RequestClass::kBulk;
    default:
      return links > kMaxInteractiveLinks ? RequestClass::kBulk
                                          : RequestClass::kInteractive;
  }
}

ServiceOrder LinkItem::order() const { return job->order(); }
bool LinkItem::cancelled() const { return job->cancelled(); }

LinkJob::LinkJob(const v1::PredictLinksRequest* request,
                 std::shared_ptr<const ServedModel> model,
                 const JobOrigin& origin)
    : request_(request),
      model_(std::move(model)),
      level_(request->explanation_level()),
      reading_(ReadingFor(*model_, *request)),
      origin_(origin),
      order_(OrderOf(*request, *model_, origin)),
      work_(WorkOf(*request, order_)),
      graph_(model_->Graph(), request->what_if()),
      unfinished_(work_.items) {}

std::vector<LinkItem*> LinkJob::MakeItems() {
  items_ = std::vector<LinkItem>(work_.items);
  std::vector<LinkItem*> made;
  made.reserve(items_.size());
  for (size_t i = 0; i < items_.size(); ++i) {
    items_[i].job = this;
    items_[i].index = i;
    made.push_back(&items_[i]);
  }
  return made;
}

bool LinkJob::CountReplyBytes(size_t bytes) {
  reply_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return ReplyFits();
}

ResultKey LinkJob::KeyOf(const Link& link) const {
  ResultKey key = {model_->manifest.bundle_id, graph_.graph().graph_version(),
                   link, level_};
  if (explain_fully()) {
    key.scorer = reading_.scorer;
    key.prior = reading_.prior;
  }
  return key;
}

absl::Status LinkJob::CheckWanted(absl::Time now) const {
  if (now >= deadline()) {
    return absl::DeadlineExceededError(
        "the deadline passed before the links were scored");
  }
  if (cancelled()) return absl::CancelledError("the caller cancelled");
  return absl::OkStatus();
}

absl::Status LinkJob::WhyDropped(absl::Time now) const {
  absl::Status reason = CheckWanted(now);
  return reason.ok() ? absl::DeadlineExceededError("the link waited too long")
                     : reason;
}

absl::Status LinkJob::Outcome() const {
  SLICE_RETURN_IF_ERROR(graph_.status());
  for (const LinkItem& item : items_) {
    if (absl::IsDeadlineExceeded(item.status) ||
        absl::IsCancelled(item.status)) {
      return item.status;
    }
  }
  return absl::OkStatus();
}

JobTimings LinkJob::Timings() const {
  JobTimings timings;
  for (const LinkItem& item : items_) {
    timings.queue = std::max(timings.queue, item.queue_time);
    timings.context = std::max(timings.context, item.context_time);
    timings.model = std::max(timings.model, item.model_time);
    timings.batch_size = std::max(timings.batch_size, item.batch_size);
  }
  return timings;
}

}  // namespace slice
