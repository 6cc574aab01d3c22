// Takes jobs into the pipeline, or refuses them with a reason and a time to
// retry after.
#ifndef SLICE_SERVER_PIPELINE_LINK_ADMISSION_H_
#define SLICE_SERVER_PIPELINE_LINK_ADMISSION_H_

#include <cstddef>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/access/quotas.h"
#include "server/pipeline/answer_sizes.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/shed_log.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/schedule_observer.h"
#include "server/server_metrics.h"

namespace slice {

// Thread-safe. Every refusal is counted, and those for want of room are logged.
class LinkAdmission {
 public:
  // `observer` may be null; what is not must outlive the object.
  LinkAdmission(Admission* admission, Quotas* quotas, ServerMetrics* metrics,
                const Clock* clock, ScheduleObserver* observer)
      : admission_(admission),
        quotas_(quotas),
        metrics_(metrics),
        clock_(clock),
        observer_(observer) {}

  // Asks the quota of the job's account and Admission, also for the room that
  // its answer will need. If OK, charges the account; Admission::Release must
  // follow. RESOURCE_EXHAUSTED with a
  // RetryInfo when the server is full, the job's turn would come after its
  // deadline, or the quota is used up; UNAVAILABLE while the server drains.
  absl::Status Admit(LinkJob* job);

  // Returns the error that Admit would return for this work; takes nothing.
  absl::Status Check(const RequestedWork& work, const JobOrigin& origin);

  // As AnswerSizes::Learn.
  void Answered(v1::ExplanationLevel level, size_t links, size_t bytes) {
    answer_sizes_.Learn(level, links, bytes);
  }

  const ShedLog& shed_log() const { return shed_log_; }

 private:
  size_t AnswerRoom(const LinkJob& job) const;
  // `work` with the limit of its account.
  RequestedWork Limited(RequestedWork work, const Account& account) const;
  // Whether the account may ask for more links. Counts a refusal.
  absl::Status CheckQuota(const Account& account, size_t items);
  // Counts and logs a refusal; returns its status.
  absl::Status Refuse(const RequestedWork& work, const ServiceOrder& order,
                      AdmissionResult result);

  Admission* const admission_;
  Quotas* const quotas_;
  ServerMetrics* const metrics_;
  const Clock* const clock_;
  ScheduleObserver* const observer_;
  AnswerSizes answer_sizes_;
  ShedLog shed_log_;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_ADMISSION_H_
