// The RecommendLinks RPC: a worker ranks the candidates, and the replies are
// streamed at the caller's pace.
#ifndef SLICE_SERVER_RPC_RECOMMEND_LINKS_CALL_H_
#define SLICE_SERVER_RPC_RECOMMEND_LINKS_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <deque>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "common/mutex.h"
#include "model/link_recommender.h"
#include "server/graph/asked_graph.h"
#include "server/models/served_model.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/rpc_record.h"
#include "server/rpc/service_core.h"
#include "server/transport/unread_answer.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Works in steps, so that other clients get their turns in between: the ranking
// is the first step, and each batch of explained links is another. At most k
// replies wait for the caller, and no longer than until the deadline of the
// call. Deletes itself when gRPC is done with it.
class RecommendLinksCall final
    : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  // Starts a call; never blocks. The call ends at once with the errors of
  // ParseRequest, ValidateRequest, ModelRegistry::Find and VersionWaits::Add.
  // It ends with RESOURCE_EXHAUSTED and a RetryInfo when
  //   - the quota for recommendations is used up,
  //   - too many recommendations wait for a worker, or
  //   - requests or answers of this client take too much room.
  static RecommendLinksCall* Start(const ServiceCore& core,
                                   LinkPipeline* pipeline,
                                   grpc::CallbackServerContext* context,
                                   const grpc::ByteBuffer& request);

  void OnCancel() override { cancelled_.store(true); }
  void OnWriteDone(bool ok) override;
  void OnDone() override { delete this; }

 private:
  RecommendLinksCall(const ServiceCore& core, LinkPipeline* pipeline,
                     grpc::CallbackServerContext* context);
  ~RecommendLinksCall() override;

  absl::Status Admit(const grpc::ByteBuffer& request);
  // Takes room for the request until the call ends.
  absl::Status HoldRequest(size_t wire_bytes);
  // Queues the first step.
  absl::Status Post();
  // The same with the present version of the graph.
  absl::Status PostLater();
  // Does one step and queues the next one, or ends the call.
  void Step();
  absl::Status Rank();
  absl::Status Explain();
  ModelOnGraph Served() const { return {*model_, graph_->graph()}; }
  void Succeed();
  // What the steps have taken. REQUIRES: no step is under way.
  std::vector<StageTime> Stages() const;
  v1::RecommendLinksResponse EmptyReply() const;
  absl::Status Send(const v1::RecommendLinksResponse& reply);
  void End(absl::Status status);
  // Starts the next write or finishes, unless a write is under way.
  void Proceed();

  RecommendLimits Limits() const;
  size_t Cost() const;  // RankingCost of the request
  // What of the quota a request of this cost takes: one, or as often as the
  // cost is that of kDefaultRecommendations among all nodes.
  double QuotaCost(size_t cost) const;

  // Constant after construction and admission.
  const ServiceCore& core_;
  LinkPipeline* const pipeline_;
  grpc::CallbackServerContext* const context_;
  const RpcRecord record_;
  const CallOrigin origin_;
  const absl::Time deadline_;
  v1::RecommendLinksRequest request_;
  std::shared_ptr<const ServedModel> model_;
  size_t request_bytes_ = 0;  // that are held

  // Used by the step under way.
  std::optional<AskedGraph> graph_;  // set once the model is known
  absl::Duration queued_;            // time waited for the first step
  RecommendQuestion question_;
  std::optional<RankedEnds> ranked_;  // set by the first step

  std::atomic<bool> cancelled_{false};

  Mutex mutex_;
  UnreadAnswer unread_ ABSL_GUARDED_BY(mutex_);
  // While writing_, gRPC writes the first reply.
  std::deque<grpc::ByteBuffer> replies_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

// The cost of the first step, where ranking one link again, or explaining it,
// costs 1. The step orders all candidates and ranks the best of them
// again: 1 + candidates / 50 + max(k, LinkRecommender::kReranked).
size_t RankingCost(size_t candidates, size_t k);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RECOMMEND_LINKS_CALL_H_
