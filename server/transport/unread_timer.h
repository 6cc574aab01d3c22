// Cancels a call whose client does not read.
#ifndef SLICE_SERVER_TRANSPORT_UNREAD_TIMER_H_
#define SLICE_SERVER_TRANSPORT_UNREAD_TIMER_H_

#include <grpcpp/server_context.h>

#include <memory>

#include "absl/time/time.h"

namespace slice {

// Thread-compatible.
class UnreadTimer {
 public:
  // `context` must live while the timer runs, and may be null for a timer that
  // is never started.
  explicit UnreadTimer(grpc::ServerContextBase* context) : context_(context) {}
  // Calls Stop.
  ~UnreadTimer() { Stop(); }
  UnreadTimer(const UnreadTimer&) = delete;
  UnreadTimer& operator=(const UnreadTimer&) = delete;

  bool running() const { return alarm_ != nullptr; }
  // Cancels the call after `time`, unless the call or the timer ends before.
  // REQUIRES: the timer does not run.
  void Start(absl::Duration time);
  void Stop();

 private:
  class Alarm;

  grpc::ServerContextBase* const context_;
  std::shared_ptr<Alarm> alarm_;  // null: the timer does not run
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNREAD_TIMER_H_
