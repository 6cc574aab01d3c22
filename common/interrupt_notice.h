// What Ctrl-C says about long work that can be continued.
#ifndef SLICE_COMMON_INTERRUPT_NOTICE_H_
#define SLICE_COMMON_INTERRUPT_NOTICE_H_

#include <csignal>
#include <string_view>

namespace slice {

// While an InterruptNotice lives, SIGINT and SIGTERM write a line to stderr and
// end the process at once with exit status 130. No destructor runs then, so the
// work must leave files that it can continue from at any time. A signal that
// the process ignored before stays ignored. Only one object may live at a time.
class InterruptNotice {
 public:
  explicit InterruptNotice(std::string_view message);
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace slice

#endif  // SLICE_COMMON_INTERRUPT_NOTICE_H_
