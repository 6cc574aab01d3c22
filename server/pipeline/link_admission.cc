// Refusals cost little: nothing is made for a request before it is taken in.
#include "server/pipeline/link_admission.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

// Bounds of the time that a refused client is asked to wait.
constexpr absl::Duration kMinRetryDelay = absl::Milliseconds(50);
constexpr absl::Duration kMaxRetryDelay = absl::Seconds(5);

// At most a quarter of the room for bytes is reserved for one answer.
constexpr size_t kAnswerPart = 4;

ShedReason ReasonOf(AdmissionResult result) {
  switch (result) {
    case AdmissionResult::kBytesFull:
      return ShedReason::kBytesFull;
    case AdmissionResult::kClientFull:
      return ShedReason::kClientFull;
    case AdmissionResult::kQuotaFull:
      return ShedReason::kQuota;
    case AdmissionResult::kTooLate:
      return ShedReason::kTooLate;
    case AdmissionResult::kDraining:
      return ShedReason::kDraining;
    default:
      return ShedReason::kQueueFull;
  }
}

}  // namespace

absl::Status LinkAdmission::Admit(LinkJob* job) {
  job->ReserveAnswer(AnswerRoom(*job));
  const RequestedWork work = Limited(job->work(), job->caller().account);
  SLICE_RETURN_IF_ERROR(CheckQuota(job->caller().account, work.items));
  absl::Duration workload_time;
  const AdmissionResult result = admission_->TryAdmit(
      work, job->deadline() - clock_->Now(), &workload_time);
  job->set_workload_time(workload_time);
  if (result != AdmissionResult::kAdmitted) {
    return Refuse(work, job->order(), result);
  }
  quotas_->Charge(job->caller().account, QuotaKind::kLinks,
                  static_cast<double>(work.cost));
  return absl::OkStatus();
}

// A part of the room, so that a server with little still answers.
size_t LinkAdmission::AnswerRoom(const LinkJob& job) const {
  return std::min(answer_sizes_.Expected(job.request().explanation_level(),
                                         job.work().items),
                  admission_->options().max_bytes / kAnswerPart);
}

RequestedWork LinkAdmission::Limited(RequestedWork work,
                                     const Account& account) const {
  const size_t limit = quotas_->LimitsOf(account).links_under_way;
  if (limit > 0) work.most_items = limit;
  return work;
}

absl::Status LinkAdmission::Check(const RequestedWork& work,
                                  const JobOrigin& origin) {
  SLICE_RETURN_IF_ERROR(CheckQuota(origin.call.account, work.items));
  const AdmissionResult result = admission_->Check(
      Limited(work, origin.call.account), origin.deadline - clock_->Now());
  if (result == AdmissionResult::kAdmitted) return absl::OkStatus();
  ServiceOrder order;
  order.request_class = work.request_class;
  order.client = work.client;
  order.deadline = origin.deadline;
  return Refuse(work, order, result);
}

absl::Status LinkAdmission::CheckQuota(const Account& account, size_t items) {
  absl::Status may_ask = quotas_->Check(account, QuotaKind::kLinks);
  if (!may_ask.ok()) metrics_->ItemsShed(ShedReason::kQuota, items);
  return may_ask;
}

absl::Status LinkAdmission::Refuse(const RequestedWork& work,
                                   const ServiceOrder& order,
                                   AdmissionResult result) {
  const absl::Duration wait = admission_->PredictedWait(work);
  const ShedReason reason = ReasonOf(result);
  metrics_->ItemsShed(reason, work.items);
  shed_log_.Add({clock_->Now(), reason, work, wait});
  if (observer_ != nullptr) observer_->Arrived(work, order, {});
  if (result == AdmissionResult::kDraining) {
    return absl::UnavailableError("the server is stopping");
  }
  const AdmissionOptions limits = admission_->options();
  std::string why;
  if (result == AdmissionResult::kItemsFull) {
    why = absl::StrCat("the server is full: ", admission_->items(),
                       " of at most ", limits.max_items,
                       " links are waiting, and ", work.items,
                       " more do not fit; ask later, or for less");
  } else if (result == AdmissionResult::kBytesFull) {
    why = absl::StrCat("the server is full: it holds ", admission_->bytes(),
                       " of at most ", limits.max_bytes,
                       " bytes of requests and answers, and ", work.bytes,
                       " more do not fit; ask later, or for less");
  } else if (result == AdmissionResult::kClientFull) {
    why = absl::StrCat("this client's share is full: ", work.items,
                       " more links or ", work.bytes,
                       " more bytes would leave too little room to others; "
                       "read the answers, ask later, or for less");
  } else if (result == AdmissionResult::kQuotaFull) {
    why = absl::StrCat("the quota of ", work.most_items,
                       " links under way is used up, and ", work.items,
                       " more do not fit; ask when answers have come, or for "
                       "less");
  } else {
    why = absl::StrCat("the deadline would pass first: ", work.items,
                       " links would wait ", absl::FormatDuration(wait),
                       " behind others; ask later, or for less, or with a "
                       "later deadline");
  }
  return WithRetryDelay(absl::ResourceExhaustedError(why),
                        std::clamp(wait, kMinRetryDelay, kMaxRetryDelay));
}

}  // namespace slice
