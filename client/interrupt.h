// Ctrl-C as a wish to end early, with what was done so far.
#ifndef SLICE_CLIENT_INTERRUPT_H_
#define SLICE_CLIENT_INTERRUPT_H_

#include <csignal>

namespace slice {

// While one lives, the first SIGINT or SIGTERM is noted and the second ends the
// process. At most one at a time.
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
