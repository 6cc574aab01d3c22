// Writes lines to a descriptor without ever waiting for who reads them.
#ifndef SLICE_COMMON_LINE_WRITER_H_
#define SLICE_COMMON_LINE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/clock.h"
#include "common/mutex.h"
#include "common/rate_limit.h"

namespace slice {

// Thread-safe. What comes faster than the rate, or finds a pipe that nobody
// reads, is left out and counted; the next line that is written says so.
class LineWriter {
 public:
  // A pipe takes so many bytes at once or none (PIPE_BUF on Linux); longer
  // lines are cut.
  static constexpr size_t kMaxBytes = 4096;

  // Does not own the descriptor. `clock` must outlive the writer.
  LineWriter(int descriptor, const Rate& rate, const Clock* clock);

  // A line without its end.
  void Write(std::string_view line);

  // Left out since the start.
  uint64_t left_out() const;

 private:
  bool WriteNow(std::string line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int descriptor_;
  RateLimit limit_;

  mutable Mutex mutex_;
  uint64_t left_out_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t told_ ABSL_GUARDED_BY(mutex_) = 0;  // of them
};

}  // namespace slice

#endif  // SLICE_COMMON_LINE_WRITER_H_
