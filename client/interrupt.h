// Notices Ctrl-C, so that a command can end early with the results so far.
#ifndef SLICE_CLIENT_INTERRUPT_H_
#define SLICE_CLIENT_INTERRUPT_H_

#include <csignal>

namespace slice {

// While an InterruptWatch lives, the first SIGINT or SIGTERM only makes
// interrupted() true; the second one ends the process. Only one InterruptWatch
// may live at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  bool interrupted() const;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace slice

#endif  // SLICE_CLIENT_INTERRUPT_H_
