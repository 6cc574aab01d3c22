#include "server/transport/unread_answer.h"

#include <algorithm>

namespace slice {

UnreadAnswer::UnreadAnswer(UnreadAnswers* all, grpc::ServerContextBase* context,
                           ClientId client, absl::Time deadline)
    : all_(all), client_(client), deadline_(deadline), timer_(context) {}

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
  if (!timer_.running() && deadline_ < absl::InfiniteFuture()) {
    timer_.Start(deadline_ - all_->clock_->Now());
  }
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
  timer_.Stop();
  Release(charged_bytes_ + free_bytes_);
}

}  // namespace slice
