#include "common/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace slice {
namespace {

constexpr int64_t kTerminalIntervalMicros = 200'000;
constexpr int64_t kLogIntervalMicros = 5'000'000;
constexpr int64_t kFirstDrawMicros = 1'000'000;

std::string FormatCount(double count) {
  if (count >= 1e7) return absl::StrFormat("%.1f M", count / 1e6);
  if (count >= 1e4) return absl::StrFormat("%.1f k", count / 1e3);
  if (count >= 100 || count == static_cast<int64_t>(count))
    return absl::StrFormat("%.0f", count);
  return absl::StrFormat("%.1f", count);
}

}  // namespace

std::string FormatSeconds(double seconds) {
  if (seconds < 60) return absl::StrFormat("%.1f s", seconds);
  const int64_t whole = static_cast<int64_t>(seconds + 0.5);
  if (whole < 3600)
    return absl::StrFormat("%d min %02d s", whole / 60, whole % 60);
  return absl::StrFormat("%d h %02d min", whole / 3600, whole % 3600 / 60);
}

ProgressLine::ProgressLine(std::string title, uint64_t total, std::string unit)
    : title_(std::move(title)),
      total_(total),
      unit_(std::move(unit)),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(absl::Now()),
      next_draw_micros_(kFirstDrawMicros) {}

ProgressLine::~ProgressLine() {
  MutexLock lock(&mutex_);
  if (!finished_ && drawn_) Draw(/*last=*/true);
}

void ProgressLine::Advance(uint64_t units) {
  done_.fetch_add(units, std::memory_order_relaxed);
  const int64_t elapsed = absl::ToInt64Microseconds(absl::Now() - start_);
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

void ProgressLine::Draw(bool last) {
  drawn_ = true;
  const uint64_t done = done_.load(std::memory_order_relaxed);
  const double seconds =
      std::max(1e-6, absl::ToDoubleSeconds(absl::Now() - start_));
  std::string line = absl::StrCat(title_, ": ", FormatCount(done));
  if (total_ > 0 && !last) absl::StrAppend(&line, "/", FormatCount(total_));
  absl::StrAppend(&line, " ", unit_, ", ", FormatCount(done / seconds), "/s");
  if (last) {
    absl::StrAppend(&line, ", ", FormatSeconds(seconds));
  } else if (total_ > done && done > 0) {
    absl::StrAppend(&line, ", ",
                    FormatSeconds(seconds / done * (total_ - done)), " left");
  }
  if (!note_.empty()) absl::StrAppend(&line, ", ", note_);
  std::fprintf(stderr, terminal_ ? "\r\x1b[K%s%s" : "%s%s", line.c_str(),
               last || !terminal_ ? "\n" : "");
  std::fflush(stderr);
}

}  // namespace slice
