// The links of a long list: gives ranges of them to calling threads, and puts
// the answers back in order.
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

// Every link is in exactly one state: it waits, a thread calls for it, its
// answer waits for earlier answers, or it was accepted. So no link is lost or
// answered twice, however often its range comes back. Thread-safe.
class LinkRanges {
 public:
  struct Options {
    size_t links = 0;         // length of the list
    size_t most = 1;          // most links of a range
    size_t max_ahead = 1;     // how far a range may be past the accepted links
    size_t max_lost = 1;      // lost single links that end the run: see Put
    absl::Duration max_time;  // of a call
  };

  // What Next waits for.
  struct News {
    size_t size = 0;  // links of a range from now on
    // The answer to the next links, or the error that ends the run.
    std::optional<absl::StatusOr<ScoredLinks>> answer;
  };

  explicit LinkRanges(const Options& options);

  // Gives out the first links that wait. Blocks while they are too far past the
  // accepted links, or all links are with other threads. False when no link is
  // left, or after Stop.
  [[nodiscard]] bool Take(LinkRange* range);

  // Takes back a range with the result of its call, which took `took`. After
  // DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED the links wait again; a single link
  // is lost, and has the error as its answer. `max_lost` lost links in a row,
  // with no answered call between them, end the run.
  void Put(const LinkRange& range, absl::StatusOr<ScoredLinks> answer,
           absl::Duration took);

  // Waits for the answer to the links after those of the last answer, or for a
  // new size of ranges. REQUIRES: one thread calls it, until all links are
  // accepted or an answer is not OK.
  News Next();

  // Makes Take return false, so that threads end after their present call.
  void Stop();

 private:
  bool CanTake() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The answer to a single link whose call was lost.
  absl::StatusOr<ScoredLinks> Lost(absl::Status status)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;

  Mutex mutex_;
  CondVar changed_;
  RequestSize size_ ABSL_GUARDED_BY(mutex_);
  size_t reported_size_ ABSL_GUARDED_BY(mutex_);
  size_t accepted_ ABSL_GUARDED_BY(mutex_) = 0;
  // No thread calls for links from here on: a call before them has failed.
  size_t end_ ABSL_GUARDED_BY(mutex_);
  size_t lost_in_a_row_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  AnswerSource from_ ABSL_GUARDED_BY(mutex_);  // of the last answer
  // Counts and answers by the position of the first link.
  std::map<size_t, size_t> waiting_ ABSL_GUARDED_BY(mutex_);
  std::map<size_t, absl::StatusOr<ScoredLinks>> answers_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_RANGES_H_
