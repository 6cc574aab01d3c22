#include "server/transport/unread_answer.h"

#include <grpc/grpc.h>
#include <grpcpp/alarm.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slice {

// Cancels the call unless the call ends first. The timer keeps the grpc_call of
// gRPC's core library instead of the context: a cancellation may end the call,
// and destroy the context, before the cancellation returns.
class UnreadAnswer::Timer {
 public:
  explicit Timer(grpc_call* call) : call_(call) { grpc_call_ref(call_); }
  ~Timer() { grpc_call_unref(call_); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  static void Start(const std::shared_ptr<Timer>& timer, absl::Duration time) {
    timer->alarm_.Set(
        std::chrono::system_clock::now() + absl::ToChronoNanoseconds(time),
        // The alarm keeps this function, and the timer keeps the alarm. Moving
        // `kept` out breaks this circle; otherwise the call and its connection
        // would stay for ever.
        [kept = timer](bool expired) mutable {
          const std::shared_ptr<Timer> last = std::move(kept);
          if (expired) {
            grpc_call_cancel_with_status(last->call_, GRPC_STATUS_CANCELLED,
                                         "the answer was not read in time",
                                         nullptr);
          }
        });
  }

  void Stop() { alarm_.Cancel(); }

 private:
  grpc_call* const call_;
  grpc::Alarm alarm_;
};

UnreadAnswer::UnreadAnswer(UnreadAnswers* all, grpc::ServerContextBase* context,
                           ClientId client, absl::Time deadline)
    : all_(all), context_(context), client_(client), deadline_(deadline) {}

UnreadAnswer::~UnreadAnswer() { End(); }

void UnreadAnswer::Hold(size_t bytes) {
  bytes += charged_bytes_ + free_bytes_ == 0 ? UnreadAnswers::kCallBytes : 0;
  const size_t all =
      all_->free_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (free_bytes_ + bytes <= UnreadAnswers::kSmallBytes &&
      all <= UnreadAnswers::kFreeBytes) {
    free_bytes_ += bytes;
    return;
  }
  all_->free_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  charged_bytes_ += bytes;
  all_->admission_->HoldAnswer({.bytes = bytes, .client = client_});
  if (timer_ == nullptr) StartTimer();
}

void UnreadAnswer::StartTimer() {
  if (deadline_ == absl::InfiniteFuture()) return;
  timer_ = std::make_shared<Timer>(context_->c_call());
  Timer::Start(timer_,
               std::max(absl::ZeroDuration(), deadline_ - all_->clock_->Now()));
}

void UnreadAnswer::Release(size_t bytes) {
  const size_t charged = std::min(bytes, charged_bytes_);
  if (charged > 0) {
    charged_bytes_ -= charged;
    all_->admission_->Release({.bytes = charged, .client = client_});
  }
  const size_t free = std::min(bytes - charged, free_bytes_);
  free_bytes_ -= free;
  all_->free_bytes_.fetch_sub(free, std::memory_order_relaxed);
}

void UnreadAnswer::End() {
  if (timer_ != nullptr) timer_->Stop();
  timer_ = nullptr;
  Release(charged_bytes_ + free_bytes_);
}

}  // namespace slice
