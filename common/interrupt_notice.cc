#include "common/interrupt_notice.h"

#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr int kInterruptedExitStatus = 130;  // what shells use for SIGINT

// The handler may neither allocate nor lock, so the line is made before.
std::string& Line() {
  static std::string* const line = new std::string;
  return *line;
}
const char* line_begin = nullptr;
size_t line_size = 0;

void WriteAndExit(int) {
  if (::write(STDERR_FILENO, line_begin, line_size) < 0) {
    // There is nobody to tell.
  }
  ::_exit(kInterruptedExitStatus);
}

void Handle(int signal, struct sigaction* old) {
  sigaction(signal, nullptr, old);
  if (old->sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = WriteAndExit;
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptNotice::InterruptNotice(std::string_view message) {
  // On a terminal, "^C" or a progress line stands before the cursor.
  Line() = absl::StrCat(::isatty(STDERR_FILENO) ? "\n" : "",
                        Printable(std::string(message), " "), "\n");
  line_begin = Line().data();
  line_size = Line().size();
  Handle(SIGINT, &old_interrupt_);
  Handle(SIGTERM, &old_terminate_);
}

InterruptNotice::~InterruptNotice() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

}  // namespace slice
