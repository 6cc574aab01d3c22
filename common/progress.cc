// Advance is called from many threads and very often, so it takes no lock
// unless the line is due. next_draw_micros_ holds the time of the next drawing;
// the thread that moves this time forward draws the line. The samples of the
// last ten seconds give the current rate, from which the time left follows.
//
// On a terminal a carriage return and an escape sequence replace the line.
// Elsewhere each drawing adds a line, and drawings are rarer.
#include "common/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace slice {
namespace {

constexpr int64_t kTerminalIntervalMicros = 200'000;
constexpr int64_t kLogIntervalMicros = 5'000'000;
constexpr int64_t kFirstDrawMicros = 1'000'000;
constexpr absl::Duration kRateTime = absl::Seconds(10);

std::string FormatCount(double count) {
  if (count >= 1e7) return absl::StrFormat("%.1f M", count / 1e6);
  if (count >= 1e4) return absl::StrFormat("%.1f k", count / 1e3);
  if (count >= 100 || count == static_cast<int64_t>(count))
    return absl::StrFormat("%.0f", count);
  return absl::StrFormat("%.1f", count);
}

// "200/s"; "0.6/min" for what takes longer than ten seconds.
std::string FormatRate(double rate) {
  return rate > 0 && rate < 0.1 ? FormatCount(60 * rate) + "/min"
                                : FormatCount(rate) + "/s";
}

}  // namespace

std::string FormatSeconds(double seconds) {
  if (seconds < 60) return absl::StrFormat("%.1f s", seconds);
  const int64_t whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 3600)
    return absl::StrFormat("%d min %02d s", whole / 60, whole % 60);
  return absl::StrFormat("%d h %02d min", whole / 3600, whole % 3600 / 60);
}

ProgressLine::ProgressLine(std::string title, uint64_t total, std::string unit,
                           const Clock* clock)
    : title_(std::move(title)),
      total_(total),
      unit_(std::move(unit)),
      terminal_(isatty(STDERR_FILENO) != 0),
      clock_(clock),
      start_(clock->Now()),
      next_draw_micros_(kFirstDrawMicros),
      samples_({{start_, 0}}) {}

ProgressLine::~ProgressLine() {
  MutexLock lock(&mutex_);
  if (!finished_ && drawn_) Draw(/*last=*/true);
}

void ProgressLine::Advance(uint64_t units) {
  done_.fetch_add(units, std::memory_order_relaxed);
  const int64_t elapsed = absl::ToInt64Microseconds(clock_->Now() - start_);
  int64_t due = next_draw_micros_.load(std::memory_order_relaxed);
  const int64_t interval =
      terminal_ ? kTerminalIntervalMicros : kLogIntervalMicros;
  if (elapsed < due ||
      !next_draw_micros_.compare_exchange_strong(due, elapsed + interval))
    return;
  MutexLock lock(&mutex_);
  if (!finished_) Draw(/*last=*/false);
}

void ProgressLine::SetNote(std::string note) {
  MutexLock lock(&mutex_);
  note_ = std::move(note);
}

void ProgressLine::Finish(std::string note) {
  MutexLock lock(&mutex_);
  if (finished_) return;
  finished_ = true;
  const bool quiet = note.empty() && !drawn_;
  if (!note.empty()) note_ = std::move(note);
  if (!quiet) Draw(/*last=*/true);
}

double ProgressLine::RecentRate(const Sample& now) {
  while (samples_.size() > 1 && samples_[1].time <= now.time - kRateTime) {
    samples_.pop_front();
  }
  const Sample& before = samples_.front();
  const double rate =
      static_cast<double>(now.done - before.done) /
      std::max(1e-6, absl::ToDoubleSeconds(now.time - before.time));
  samples_.push_back(now);
  return rate;
}

void ProgressLine::Draw(bool last) {
  drawn_ = true;
  const Sample now = {clock_->Now(), done_.load(std::memory_order_relaxed)};
  const double seconds =
      std::max(1e-6, absl::ToDoubleSeconds(now.time - start_));
  const double rate =
      last ? static_cast<double>(now.done) / seconds : RecentRate(now);
  std::string line = absl::StrCat(title_, ": ", FormatCount(now.done));
  if (total_ > 0 && !last) absl::StrAppend(&line, "/", FormatCount(total_));
  absl::StrAppend(&line, " ", unit_, ", ", FormatRate(rate));
  if (last) {
    absl::StrAppend(&line, ", ", FormatSeconds(seconds));
  } else if (total_ > now.done && rate > 0) {
    const auto left = static_cast<double>(total_ - now.done);
    absl::StrAppend(&line, ", ", FormatSeconds(left / rate), " left");
  }
  if (!note_.empty()) absl::StrAppend(&line, ", ", note_);
  std::fprintf(stderr, terminal_ ? "\r\x1b[K%s%s" : "%s%s", line.c_str(),
               last || !terminal_ ? "\n" : "");
  std::fflush(stderr);
}

}  // namespace slice
