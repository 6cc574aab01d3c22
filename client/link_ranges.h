// The links of a long list, handed out to the threads that call and taken back
// with their answers.
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

// Every link is in exactly one place: it waits, or a thread calls for it, or
// its answer waits for those before it, or it was accepted. So none is lost or
// answered twice, however often its range comes back. Thread-safe.
class LinkRanges {
 public:
  struct Options {
    size_t links = 0;         // of the list
    size_t most = 1;          // in one range
    size_t max_ahead = 1;     // of a range, behind the first link not accepted
    size_t max_lost = 1;      // see Put
    absl::Duration max_time;  // of a call
  };

  // What the accepting thread waits for.
  struct News {
    size_t size = 0;  // of ranges from now on
    // The answer to the next links, or why it all ends.
    std::optional<absl::StatusOr<ScoredLinks>> answer;
  };

  explicit LinkRanges(const Options& options);

  // The first links that wait, once they are near enough to those accepted.
  // False when there is nothing left to call for, or after Stop.
  [[nodiscard]] bool Take(LinkRange* range);

  // Takes back a range with the end of its call, which took `took`. Links whose
  // call ended with DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED wait again; a
  // single one has that as its answer, unless it is number `max_lost` of such
  // ones without any answer between them.
  void Put(const LinkRange& range, absl::StatusOr<ScoredLinks> answer,
           absl::Duration took);

  // Waits for the answer to the links behind those of the last one, or for
  // another size of ranges. REQUIRES: one thread calls it, until all links are
  // accepted or an answer is not OK.
  News Next();

  // Lets the calling threads end after the calls they are in.
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
  size_t told_size_ ABSL_GUARDED_BY(mutex_);
  size_t accepted_ ABSL_GUARDED_BY(mutex_) = 0;
  // Links from here on are not asked for: a call before them has failed.
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
