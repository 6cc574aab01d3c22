// One PredictLinks request on its way through the pipeline, without gRPC.
#ifndef SLICE_SERVER_PIPELINE_LINK_JOB_H_
#define SLICE_SERVER_PIPELINE_LINK_JOB_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "graphstore/types.h"
#include "server/graph/asked_graph.h"
#include "server/limits.h"
#include "server/models/served_model.h"
#include "server/pipeline/job_origin.h"
#include "server/pipeline/job_timings.h"
#include "server/pipeline/link_answer.h"
#include "server/pipeline/result_cache.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/work_item.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

class LinkJob;

// One link of a request: the unit that is scheduled. One thread at a time works
// on an item.
class LinkItem final : public WorkItem, public LinkAnswer {
 public:
  ServiceOrder order() const override;
  bool cancelled() const override;

  LinkJob* job = nullptr;
  size_t index = 0;  // in the request

  absl::Status status;
  Link link;
  absl::Time enqueued;        // when it began to wait for the model
  absl::Duration queue_time;  // waited for the context worker and the model
  absl::Duration context_time;
  absl::Duration model_time;
  size_t batch_size = 0;
};

// The pipeline uses a job from LinkPipeline::Start to its one call of Reply.
class LinkJob {
 public:
  // `request` must outlive the job and have passed ValidateRequest.
  LinkJob(const v1::PredictLinksRequest* request,
          std::shared_ptr<const ServedModel> model, const JobOrigin& origin);
  virtual ~LinkJob() = default;

  // Called once all items have ended: answers, and returns the bytes of the
  // answer. The job may delete itself; the pipeline does not touch it again.
  virtual size_t Reply() = 0;

  // The client is gone: drops the remaining work. Thread-safe.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // OK while the answer is wanted; CANCELLED or DEADLINE_EXCEEDED afterwards.
  absl::Status CheckWanted(absl::Time now) const;
  // The status of an item that the scheduler dropped; never OK.
  absl::Status WhyDropped(absl::Time now) const;

  // Makes the items, one per link, and returns them. REQUIRES: called once,
  // after admission, so that a refused job costs little.
  std::vector<LinkItem*> MakeItems();

  // Whether the thread that starts the job answers it. Set before items end.
  void set_run_by_caller() { run_by_caller_ = true; }
  bool run_by_caller() const { return run_by_caller_; }

  // Whether to search for names similar to an unknown one; at most
  // kMostSuggestions times, as it costs more than scoring. Thread-safe.
  bool TakeSuggestion() {
    return suggestions_.fetch_add(1, std::memory_order_relaxed) <
           kMostSuggestions;
  }
  static constexpr int kMostSuggestions = 8;

  // Counts bytes of the reply. Returns whether it still fits. Thread-safe.
  bool CountReplyBytes(size_t bytes);
  bool ReplyFits() const { return reply_bytes_ <= size_t{kMaxSendBytes}; }

  // Counts the end of one item; true for the last one. Thread-safe.
  bool EndItem() {
    return unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  // The error of a what-if question; DEADLINE_EXCEEDED or CANCELLED when any
  // item ended so; otherwise OK, because all other statuses concern one link
  // alone. REQUIRES: all items have ended.
  absl::Status Outcome() const;
  JobTimings Timings() const;

  const v1::PredictLinksRequest& request() const { return *request_; }
  const ServedModel& model() const { return *model_; }
  // The graph in which the links are scored. A context worker makes it.
  AskedGraph& graph() { return graph_; }
  const AskedGraph& graph() const { return graph_; }
  ModelOnGraph served() const { return {*model_, graph_.graph()}; }
  // Whether the request wants explanations, and whether it also wants the
  // effects of each token and of each item of evidence.
  bool explain() const { return level_ >= v1::EXPLANATION_LEVEL_CONTEXT; }
  bool explain_fully() const { return level_ == v1::EXPLANATION_LEVEL_FULL; }
  // How to read the model's outputs, with the scorer that the request names.
  const OutputReading& reading() const { return reading_; }
  // Of a link in the result cache. REQUIRES: there is no what-if question.
  ResultKey KeyOf(const Link& link) const;
  const CallOrigin& caller() const { return origin_.call; }
  absl::Time admitted() const { return origin_.admitted; }
  absl::Time deadline() const { return origin_.deadline; }
  const ServiceOrder& order() const { return order_; }  // of every item
  const RequestedWork& work() const { return work_; }
  // Takes room for an answer too. REQUIRES: called before admission.
  void ReserveAnswer(size_t bytes) { work_.bytes += bytes; }
  // The workload time that Admission::TryAdmit computed.
  void set_workload_time(absl::Duration time) { workload_time_ = time; }
  absl::Duration workload_time() const { return workload_time_; }
  std::vector<LinkItem>& items() { return items_; }
  const std::vector<LinkItem>& items() const { return items_; }

 private:
  // Constant after construction, the work after admission.
  const v1::PredictLinksRequest* const request_;
  const std::shared_ptr<const ServedModel> model_;
  const v1::ExplanationLevel level_;
  const OutputReading reading_;
  const JobOrigin origin_;
  const ServiceOrder order_;
  RequestedWork work_;
  AskedGraph graph_;
  absl::Duration workload_time_;
  bool run_by_caller_ = false;
  std::vector<LinkItem> items_;
  std::atomic<size_t> unfinished_;
  std::atomic<size_t> reply_bytes_{0};
  std::atomic<int> suggestions_{0};
  std::atomic<bool> cancelled_{false};
};

// The class that a request names or, if none, that fits its number of links.
RequestClass RequestClassOf(v1::RequestClass asked, int links);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_JOB_H_
