// Cuts a long list of links into ranges, gives the ranges to threads that call
// the server, and puts the answers back in order.
#ifndef SLICE_CLIENT_LINK_RANGES_H_
#define SLICE_CLIENT_LINK_RANGES_H_

#include <cstddef>
#include <map>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/link_types.h"
#include "client/request_size.h"
#include "common/mutex.h"

namespace slice {

// Links at the positions [first, first + count).
struct LinkRange {
  size_t first = 0;
  size_t count = 0;
};

// Every link is in exactly one state. It waits to be sent; or a thread has
// taken it; or it is answered, but an earlier link is not; or it is accepted,
// which means that Next has returned its answer. So no link is lost or answered
// twice, however often its range comes back. Thread-safe.
class LinkRanges {
 public:
  struct Options {
    size_t links = 0;  // length of the list
    size_t most = 1;   // most links of one range
    // A range begins less than this many links after the accepted ones.
    size_t max_ahead = 1;
    // After this many lost links in a row no more links are sent: see Put.
    size_t max_lost = 1;
    absl::Duration max_time;  // how long one call may take
  };

  // What Next returns.
  struct News {
    size_t size = 0;  // the most links of a range from now on
    // The answer to the next links, or the error after which no more links are
    // answered. Unset when only `size` is new.
    std::optional<absl::StatusOr<ScoredLinks>> answer;
  };

  explicit LinkRanges(const Options& options);

  // Sets `range` to the first links that wait, and returns true. Blocks while
  // these links are too far past the accepted ones. Also blocks while no link
  // waits but some may still come back from other threads. Returns false when
  // all links are accepted, or after Stop.
  [[nodiscard]] bool Take(LinkRange* range);

  // Takes the `answer` to the call for `range`; the call took `took`. After
  // DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED the links of the range wait again,
  // to be sent in smaller ranges. A range of one link cannot become smaller:
  // its link is lost, and the error becomes its answer. When `max_lost` links
  // are lost in a row, with no answered call between them, the last error ends
  // the answers, as any other error of a call does.
  void Put(const LinkRange& range, absl::StatusOr<ScoredLinks> answer,
           absl::Duration took);

  // Waits until the first link that is not accepted has an answer, and accepts
  // the links of this answer. Returns without an answer when the size of ranges
  // has changed. REQUIRES: only one thread calls Next, and it stops calling
  // when all links are accepted or an answer is not OK.
  News Next();

  // Makes Take return false from now on, so that each thread ends after its
  // present call.
  void Stop();

 private:
  bool CanTake() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The answer to a single link whose call failed with `status`.
  absl::StatusOr<ScoredLinks> Lost(absl::Status status)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;

  Mutex mutex_;
  CondVar changed_;
  RequestSize size_ ABSL_GUARDED_BY(mutex_);
  size_t reported_size_ ABSL_GUARDED_BY(mutex_);
  size_t accepted_ ABSL_GUARDED_BY(mutex_) = 0;
  // Links from this position on are not given out any more. It is the length of
  // the list until a call fails for good, then the start of its range.
  size_t end_ ABSL_GUARDED_BY(mutex_);
  size_t lost_in_a_row_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  AnswerSource from_ ABSL_GUARDED_BY(mutex_);  // of the last answer
  // Ranges that wait and answers that are not accepted yet, each by the
  // position of its first link. A range that waits is the number of its links.
  std::map<size_t, size_t> waiting_ ABSL_GUARDED_BY(mutex_);
  std::map<size_t, absl::StatusOr<ScoredLinks>> answers_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_RANGES_H_
