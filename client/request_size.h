// Learns from the calls that have ended how many links the next call may have.
#ifndef SLICE_CLIENT_REQUEST_SIZE_H_
#define SLICE_CLIENT_REQUEST_SIZE_H_

#include <algorithm>
#include <cstddef>

#include "absl/time/time.h"

namespace slice {

// The size is the number of links of the next call. It halves when a call is
// not answered in time. It doubles only when a call of the present size took so
// little of its time that a call of twice the size is safe. Thread-compatible.
class RequestSize {
 public:
  // The size doubles after a call that took less than this share of max_time. A
  // call with twice the links then takes about a quarter of max_time, which
  // leaves room for a server that slows down again.
  static constexpr double kQuickShare = 0.125;

  // Starts with the largest size, `most` links, which must be above 0. A call
  // may take `max_time`.
  RequestSize(size_t most, absl::Duration max_time)
      : most_(most), max_time_(max_time), links_(most) {}

  size_t links() const { return links_; }

  // A call with `links` links was not answered in time. Several calls of the
  // same size may fail together; only the first of them halves the size.
  void Missed(size_t links) {
    links_ = std::min(links_, std::max<size_t>(1, links / 2));
  }

  // A call with `links` links was answered after `took`.
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
