// The answer of one call while it waits for its reader.
#ifndef SLICE_SERVER_TRANSPORT_UNREAD_ANSWER_H_
#define SLICE_SERVER_TRANSPORT_UNREAD_ANSWER_H_

#include <grpcpp/server_context.h>

#include <cstddef>

#include "absl/time/time.h"
#include "server/scheduling/work_item.h"
#include "server/transport/unread_answers.h"
#include "server/transport/unread_timer.h"

namespace slice {

// Each call has one as a member. Thread-compatible.
class UnreadAnswer {
 public:
  // `all` and `context` must outlive this object. When an answer that is
  // charged (server/transport/unread_answers.h) is not read by `deadline`, its
  // call is cancelled. With InfiniteFuture the caller sees to that.
  UnreadAnswer(UnreadAnswers* all, grpc::ServerContextBase* context,
               ClientId client, absl::Time deadline);
  // Calls End.
  ~UnreadAnswer();
  UnreadAnswer(const UnreadAnswer&) = delete;
  UnreadAnswer& operator=(const UnreadAnswer&) = delete;

  // Counts `bytes` more bytes that are about to wait for the reader.
  void Hold(size_t bytes);
  // The client has read `bytes` of what was held.
  void Release(size_t bytes);
  // Whether some of it is charged to the client.
  bool is_charged() const { return charged_bytes_ > 0; }
  // gRPC is done with the call: its context is not touched afterwards.
  void End();

 private:
  UnreadAnswers* const all_;
  const ClientId client_;
  const absl::Time deadline_;
  size_t free_bytes_ = 0;     // not charged
  size_t charged_bytes_ = 0;  // charged to the client in Admission
  UnreadTimer timer_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNREAD_ANSWER_H_
