// How many links to ask for in one call, learned from how calls end.
#ifndef SLICE_CLIENT_REQUEST_SIZE_H_
#define SLICE_CLIENT_REQUEST_SIZE_H_

#include <algorithm>
#include <cstddef>

#include "absl/time/time.h"

namespace slice {

// Halves at once when a call is not answered in time, and doubles again only
// when a call of the full size took so little of its time that one of twice the
// size is safe. Thread-compatible.
class RequestSize {
 public:
  // A call that took less than this share of its time may grow. Twice the links
  // then take about a quarter of the time, which leaves room for a server that
  // slows down again.
  static constexpr double kQuickShare = 0.125;

  // Starts with `most`, which must be above 0. A call has `max_time`.
  RequestSize(size_t most, absl::Duration max_time)
      : most_(most), max_time_(max_time), links_(most) {}

  size_t links() const { return links_; }

  // A call for `links` was not answered in time. Calls of one size fail
  // together, so a call that was larger than the size is now changes nothing.
  void Missed(size_t links) {
    links_ = std::min(links_, std::max<size_t>(1, links / 2));
  }

  // A call for `links` was answered after `took`.
  void Answered(size_t links, absl::Duration took) {
    if (links < links_ || took >= kQuickShare * max_time_) return;
    links_ = std::min(most_, 2 * links_);
  }

 private:
  const size_t most_;
  const absl::Duration max_time_;
  size_t links_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_REQUEST_SIZE_H_
