// One PredictLinks request on its way through the stages. Knows nothing of
// gRPC.
#ifndef SLICE_SERVER_PIPELINE_LINK_JOB_H_
#define SLICE_SERVER_PIPELINE_LINK_JOB_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "graphstore/types.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_answer.h"
#include "server/pipeline/result_cache.h"
#include "server/pipeline/served_model.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/work_item.h"

namespace slice {

class LinkJob;

// One link of a request: the unit that is scheduled. Each is worked on by one
// thread at a time.
class LinkItem final : public WorkItem, public LinkAnswer {
 public:
  ServiceOrder order() const override;
  bool cancelled() const override;

  LinkJob* job = nullptr;
  size_t index = 0;  // in the request

  absl::Status status;
  Link link;

  absl::Time enqueued;        // for the model
  absl::Duration queue_time;  // before the context worker and before the model
  absl::Duration context_time;
  absl::Duration model_time;
  size_t batch_size = 0;
};

// The largest of each over the items of a request.
struct JobTimings {
  absl::Duration queue, context, model;
  size_t batch_size = 0;
};

// Who asks, and until when the answer is wanted.
struct JobOrigin {
  ClientId client;
  absl::Time admitted;
  absl::Time deadline;
};

// The pipeline holds a job from Start until it has called Reply, once, from
// one of its responder threads.
class LinkJob {
 public:
  // `request` must outlive the job and have passed ValidateRequest.
  LinkJob(const v1::PredictLinksRequest* request,
          std::shared_ptr<const ServedModel> model, const JobOrigin& origin);
  virtual ~LinkJob() = default;

  // All items have ended. The pipeline does not touch the job afterwards.
  virtual void Reply() = 0;

  // The client is gone: what has not been done need not be. Thread-safe.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // OK, CANCELLED or DEADLINE_EXCEEDED: whether work at `now` is still wanted.
  absl::Status CheckWanted(absl::Time now) const;
  // Why an item was not run: never OK.
  absl::Status WhyDropped(absl::Time now) const;

  // Makes an item of each link, once, when the job has been admitted: one that
  // is refused costs little.
  std::vector<WorkItem*> MakeItems();

  // The thread that brought the job works on all of it and answers: set before
  // any item ends.
  void set_run_by_caller() { run_by_caller_ = true; }
  bool run_by_caller() const { return run_by_caller_; }

  // Whether names near to an unknown one may be looked for: the search costs
  // more than a link, so only the first faults of a request are worth one.
  // Thread-safe.
  bool TakeSuggestion() {
    return suggestions_.fetch_add(1, std::memory_order_relaxed) <
           kMostSuggestions;
  }
  static constexpr int kMostSuggestions = 8;

  // Ends one item; true for the last one. Thread-safe.
  bool EndItem() {
    return unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  // DEADLINE_EXCEEDED or CANCELLED when that is how any item ended, else OK:
  // all other statuses concern one link. REQUIRES: all items have ended.
  absl::Status Outcome() const;
  JobTimings Timings() const;

  const v1::PredictLinksRequest& request() const { return *request_; }
  const ServedModel& model() const { return *model_; }
  // Whether the context and its attention are wanted, and the effect of each
  // token as well.
  bool explain() const { return level_ >= v1::EXPLANATION_LEVEL_CONTEXT; }
  bool explain_tokens() const { return level_ == v1::EXPLANATION_LEVEL_FULL; }
  // The model's, with the scorer that the request asks for.
  const OutputReading& reading() const { return reading_; }
  // Under which the answer to one of its links is kept.
  ResultKey KeyOf(const Link& link) const;
  absl::Time admitted() const { return origin_.admitted; }
  absl::Time deadline() const { return origin_.deadline; }
  const ServiceOrder& order() const { return order_; }  // of every item
  const RequestedWork& work() const { return work_; }
  // What Admission foresaw; set before the job starts.
  void set_workload_time(absl::Duration time) { workload_time_ = time; }
  absl::Duration workload_time() const { return workload_time_; }
  std::vector<LinkItem>& items() { return items_; }
  const std::vector<LinkItem>& items() const { return items_; }

 private:
  // Constant after construction.
  const v1::PredictLinksRequest* const request_;
  const std::shared_ptr<const ServedModel> model_;
  const v1::ExplanationLevel level_;
  const OutputReading reading_;
  const JobOrigin origin_;
  const ServiceOrder order_;
  const RequestedWork work_;

  absl::Duration workload_time_;
  bool run_by_caller_ = false;
  std::vector<LinkItem> items_;
  std::atomic<size_t> unfinished_;
  std::atomic<int> suggestions_{0};
  std::atomic<bool> cancelled_{false};
};

// The class a request asks for; of one that does not say, by its links.
RequestClass RequestClassOf(v1::RequestClass asked, int links);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_JOB_H_
