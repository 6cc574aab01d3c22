// The room that unread answers take. gRPC keeps an answer until its client
// opens the window of the stream, and a client that never does so would make
// gRPC keep the answer for ever.
#ifndef SLICE_SERVER_TRANSPORT_UNREAD_ANSWERS_H_
#define SLICE_SERVER_TRANSPORT_UNREAD_ANSWERS_H_

#include <atomic>
#include <cstddef>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/work_item.h"

namespace slice {

// Counts the answers of all calls together; each call has an UnreadAnswer
// (server/transport/unread_answer.h). Thread-safe.
//
// Large answers are charged to their client in Admission, as requests are.
// Small answers are only added up, because nearly all of them are sent at once.
class UnreadAnswers {
 public:
  // Small answers are charged as well while all small answers together take
  // more than this.
  static constexpr size_t kFreeBytes = size_t{16} << 20;
  // The most that a small answer takes: it fits in the windows of HTTP/2.
  static constexpr size_t kSmallBytes = size_t{64} << 10;
  // What a call takes in memory beside its answer.
  static constexpr size_t kCallBytes = 4096;

  // Both must outlive this object.
  UnreadAnswers(Admission* admission, const Clock* clock)
      : admission_(admission), clock_(clock) {}

  // RESOURCE_EXHAUSTED with a RetryInfo when unread answers and other work of
  // this client fill its share of the server.
  absl::Status CheckRoom(ClientId client) const;

 private:
  friend class UnreadAnswer;

  Admission* const admission_;
  const Clock* const clock_;
  std::atomic<size_t> free_bytes_{0};  // of answers that are not charged
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNREAD_ANSWERS_H_
