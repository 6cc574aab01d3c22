#include "common/line_writer.h"

#include <poll.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace slice {

LineWriter::LineWriter(int descriptor, const Rate& rate, const Clock* clock)
    : descriptor_(descriptor), limit_(rate, clock) {}

void LineWriter::Write(std::string_view line) {
  MutexLock lock(&mutex_);
  if (!limit_.Take().has_value()) {
    ++left_out_;
    return;
  }
  if (left_out_ > reported_ &&
      WriteNow(absl::StrCat(left_out_ - reported_,
                            " lines of the log were left out: too many at "
                            "once, or nobody read them"))) {
    reported_ = left_out_;
  }
  if (!WriteNow(std::string(line))) ++left_out_;
}

uint64_t LineWriter::left_out() const {
  MutexLock lock(&mutex_);
  return left_out_;
}

bool LineWriter::WriteNow(std::string line) {
  if (line.size() >= kMaxBytes) line.resize(kMaxBytes - 1);
  line.push_back('\n');
  pollfd ready = {descriptor_, POLLOUT, 0};
  if (poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) return false;
  return write(descriptor_, line.data(), line.size()) ==
         static_cast<ssize_t>(line.size());
}

}  // namespace slice
