// One PredictLinks request on its way through the stages. Knows nothing of
// gRPC.
#ifndef SLICE_SERVER_LINK_JOB_H_
#define SLICE_SERVER_LINK_JOB_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "context/link_encoder.h"
#include "graphstore/types.h"
#include "model/prediction.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/served_model.h"

namespace slice {

// One link of a request: an item. Each is worked on by one thread at a time.
struct LinkItem {
  absl::Status status;
  Link link;
  Prediction prediction;

  // Kept for explanations only.
  EncodedLink encoded;
  SemanticAssociationMatrix attention;  // of the first context
  std::vector<float> contributions;     // of the pair features

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

// The pipeline holds a job from Start until it has called Reply, once, from
// its responder thread.
class LinkJob {
 public:
  // `request` must outlive the job and have passed ValidateRequest.
  LinkJob(const v1::PredictLinksRequest* request,
          std::shared_ptr<const ServedModel> model, absl::Time admitted,
          absl::Time deadline);
  virtual ~LinkJob() = default;

  // All items have ended. The pipeline does not touch the job afterwards.
  virtual void Reply() = 0;

  // The client is gone: what has not been done need not be. Thread-safe.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // OK, CANCELLED or DEADLINE_EXCEEDED: whether work at `now` is still wanted.
  absl::Status CheckWanted(absl::Time now) const;

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
  bool explain() const { return explain_; }
  // The model's, with the scorer that the request asks for.
  const OutputReading& reading() const { return reading_; }
  absl::Time admitted() const { return admitted_; }
  absl::Time deadline() const { return deadline_; }
  std::vector<LinkItem>& items() { return items_; }
  const std::vector<LinkItem>& items() const { return items_; }

 private:
  // Constant after construction.
  const v1::PredictLinksRequest* const request_;
  const std::shared_ptr<const ServedModel> model_;
  const bool explain_;
  const OutputReading reading_;
  const absl::Time admitted_;
  const absl::Time deadline_;

  std::vector<LinkItem> items_;
  std::atomic<size_t> unfinished_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace slice

#endif  // SLICE_SERVER_LINK_JOB_H_
