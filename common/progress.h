// A progress line on stderr for work that takes more than a second.
//
//   ProgressLine progress("walks", total, "walks");
//   progress.Advance(1000);            // from any thread
//   progress.Finish("mean length 80");
//
// On a terminal the line is redrawn in place; elsewhere a new line is written
// every five seconds. The rate and the time left are those of the last ten
// seconds, so that they show when the work becomes slower. The closing line
// shows the mean rate.
#ifndef SLICE_COMMON_PROGRESS_H_
#define SLICE_COMMON_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>

#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe. Prints nothing for work that ends within a second, unless Finish
// gives a note.
class ProgressLine {
 public:
  // `total` is how many units of work there are, 0 when unknown. `unit` is what
  // a unit is called, such as "links". `clock` must outlive the line.
  ProgressLine(std::string title, uint64_t total, std::string unit,
               const Clock* clock = Clock::Real());
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Adds finished units, and redraws the line when that is due.
  void Advance(uint64_t units);

  // Text shown behind the rate, such as the current loss.
  void SetNote(std::string note);

  // Writes the closing line: the units, the time taken, the rate and `note`.
  // Later calls do nothing.
  void Finish(std::string note = "");

 private:
  // The units that were finished at a time.
  struct Sample {
    absl::Time time;
    uint64_t done = 0;
  };

  void Draw(bool last) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Units per second in the ten seconds before `now`.
  double RecentRate(const Sample& now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Constant after construction.
  const std::string title_;
  const uint64_t total_;
  const std::string unit_;
  const bool terminal_;
  const Clock* const clock_;
  const absl::Time start_;

  std::atomic<uint64_t> done_{0};
  std::atomic<int64_t> next_draw_micros_;

  Mutex mutex_;
  std::string note_ ABSL_GUARDED_BY(mutex_);
  std::deque<Sample> samples_ ABSL_GUARDED_BY(mutex_);  // never empty
  bool drawn_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

// "1 h 02 min", "3 min 05 s", "4.2 s".
std::string FormatSeconds(double seconds);

}  // namespace slice

#endif  // SLICE_COMMON_PROGRESS_H_
