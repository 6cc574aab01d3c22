// The PredictLinks RPC: a job that answers over gRPC.
#ifndef SLICE_SERVER_RPC_PREDICT_LINKS_CALL_H_
#define SLICE_SERVER_RPC_PREDICT_LINKS_CALL_H_

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <span>

#include "server/access/call_log.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/predict_messages.h"
#include "server/rpc/rpc_record.h"
#include "server/transport/unread_answer.h"

namespace slice {

// Deletes itself when gRPC is done with it, which is after its one Finish.
class PredictLinksCall final : public grpc::ServerUnaryReactor, public LinkJob {
 public:
  // `messages` holds a parsed and valid request. The answer is written to
  // `response`.
  PredictLinksCall(grpc::CallbackServerContext* context,
                   std::unique_ptr<PredictMessages> messages,
                   grpc::ByteBuffer* response,
                   std::shared_ptr<const ServedModel> model,
                   const RpcRecord& record, const JobOrigin& origin,
                   LinkPipeline* pipeline);

  // Finishes with the results or with the error that ended the request, which
  // is freed.
  size_t Reply() override;

  // Finishes with an error when the pipeline did not take the call.
  void Refuse(const absl::Status& status);

  void OnCancel() override { Cancel(); }
  void OnDone() override { delete this; }

 private:
  ~PredictLinksCall() override = default;
  // OnCancel and OnDone are short, so gRPC need not wake another thread for
  // them.
  bool InternalInlineable() override { return true; }
  void AddTrailers(const JobTimings& timings);
  absl::Status WriteResponse();
  void FinishWith(const absl::Status& status,
                  std::span<const StageTime> stages);

  grpc::CallbackServerContext* const context_;
  std::unique_ptr<PredictMessages> messages_;  // null once it has replied
  grpc::ByteBuffer* const response_;
  const RpcRecord record_;
  UnreadAnswer unread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_PREDICT_LINKS_CALL_H_
