// Answers that wait for their readers. gRPC keeps an answer until the client
// opens its window, and one that never does would keep it for ever.
#ifndef SLICE_SERVER_PIPELINE_UNREAD_ANSWERS_H_
#define SLICE_SERVER_PIPELINE_UNREAD_ANSWERS_H_

#include <grpcpp/server_context.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/work_item.h"

namespace slice {

// What all of them take. Thread-safe.
class UnreadAnswers {
 public:
  // As long as all together take less than this, small ones are not worth an
  // account: nearly all are on their way at once.
  static constexpr size_t kFreeBytes = size_t{16} << 20;
  // A small answer fits in the windows of HTTP/2.
  static constexpr size_t kSmallBytes = size_t{64} << 10;

  // Both must outlive it.
  UnreadAnswers(Admission* admission, const Clock* clock)
      : admission_(admission), clock_(clock) {}

  // RESOURCE_EXHAUSTED when this client's share of the room is taken by answers
  // it does not read, and by other work.
  absl::Status CheckRoom(ClientId client) const;

 private:
  friend class UnreadAnswer;

  Admission* const admission_;
  const Clock* const clock_;
  std::atomic<size_t> free_bytes_{0};  // of answers without an account
};

// The answer of one call. A member of the call; thread-compatible.
class UnreadAnswer {
 public:
  // Both must outlive it. The call is ended when it was not read at `deadline`,
  // if there is one.
  UnreadAnswer(UnreadAnswers* all, grpc::ServerContextBase* context,
               ClientId client, absl::Time deadline);
  ~UnreadAnswer();  // ends
  UnreadAnswer(const UnreadAnswer&) = delete;
  UnreadAnswer& operator=(const UnreadAnswer&) = delete;

  // So many bytes (more) are about to wait.
  void Hold(size_t bytes);
  // So many of those were read.
  void Release(size_t bytes);
  // gRPC is done with the call: its context is not touched afterwards.
  void End();

 private:
  class Timer;

  void StartTimer();

  UnreadAnswers* const all_;
  grpc::ServerContextBase* const context_;
  const ClientId client_;
  const absl::Time deadline_;
  size_t free_bytes_ = 0;
  size_t held_bytes_ = 0;  // by admission
  std::shared_ptr<Timer> timer_;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_UNREAD_ANSWERS_H_
