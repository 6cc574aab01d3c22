#include "server/transport/unread_timer.h"

#include <grpc/grpc.h>
#include <grpcpp/alarm.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slice {

// Keeps the grpc_call of gRPC's core library instead of the context: a
// cancellation may end the call, and destroy the context, before the
// cancellation returns.
class UnreadTimer::Alarm {
 public:
  explicit Alarm(grpc_call* call) : call_(call) { grpc_call_ref(call_); }
  ~Alarm() { grpc_call_unref(call_); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  static void Set(const std::shared_ptr<Alarm>& it, absl::Duration time) {
    it->alarm_.Set(
        std::chrono::system_clock::now() + absl::ToChronoNanoseconds(time),
        // gRPC's alarm keeps this function, which keeps this object, which
        // keeps the alarm. Moving `kept` out breaks the circle; otherwise the
        // call and its connection would stay for ever.
        [kept = it](bool expired) mutable {
          const std::shared_ptr<Alarm> last = std::move(kept);
          if (expired) {
            grpc_call_cancel_with_status(last->call_, GRPC_STATUS_CANCELLED,
                                         "the answer was not read in time",
                                         nullptr);
          }
        });
  }

  void Cancel() { alarm_.Cancel(); }

 private:
  grpc_call* const call_;
  grpc::Alarm alarm_;
};

void UnreadTimer::Start(absl::Duration time) {
  alarm_ = std::make_shared<Alarm>(context_->c_call());
  Alarm::Set(alarm_, std::max(absl::ZeroDuration(), time));
}

void UnreadTimer::Stop() {
  if (alarm_ != nullptr) alarm_->Cancel();
  alarm_ = nullptr;
}

}  // namespace slice
