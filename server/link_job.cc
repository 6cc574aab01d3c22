#include "server/link_job.h"

#include <algorithm>
#include <utility>

namespace slice {
namespace {

OutputReading ReadingFor(const ServedModel& model, const std::string& scorer) {
  OutputReading reading = model.manifest.reading;
  if (!scorer.empty()) {
    reading.scorer = ParseScorer(scorer).value_or(reading.scorer);
  }
  return reading;
}

}  // namespace

LinkJob::LinkJob(const v1::PredictLinksRequest* request,
                 std::shared_ptr<const ServedModel> model, absl::Time admitted,
                 absl::Time deadline)
    : request_(request),
      model_(std::move(model)),
      explain_(request->explanation_level() == v1::EXPLANATION_LEVEL_CONTEXT),
      reading_(ReadingFor(*model_, request->scorer())),
      admitted_(admitted),
      deadline_(deadline),
      items_(request->links_size()),
      unfinished_(items_.size()) {}

absl::Status LinkJob::CheckWanted(absl::Time now) const {
  if (now >= deadline_) {
    return absl::DeadlineExceededError(
        "the deadline passed before the links "
        "were scored");
  }
  if (cancelled()) return absl::CancelledError("the caller cancelled");
  return absl::OkStatus();
}

absl::Status LinkJob::Outcome() const {
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
