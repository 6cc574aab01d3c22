// Writes lines to a descriptor without ever waiting for the reader.
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

// Thread-safe. A line that comes faster than the rate, or that the descriptor
// does not take at once, is left out and counted. When a line can be written
// again, one line before it says how many were left out.
class LineWriter {
 public:
  // Longer lines are cut to this size, line end included. A pipe takes a write
  // of up to this many bytes whole or not at all (PIPE_BUF on Linux).
  static constexpr size_t kMaxBytes = 4096;

  // Does not own the descriptor. `clock` must outlive the writer.
  LineWriter(int descriptor, const Rate& rate, const Clock* clock);

  // Writes `line` and a line end.
  void Write(std::string_view line);

  // How many lines have been left out so far.
  uint64_t left_out() const;

 private:
  bool WriteNow(std::string line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int descriptor_;
  RateLimit limit_;

  mutable Mutex mutex_;
  uint64_t left_out_ ABSL_GUARDED_BY(mutex_) = 0;
  // How many of left_out_ a written line has reported.
  uint64_t reported_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace slice

#endif  // SLICE_COMMON_LINE_WRITER_H_
