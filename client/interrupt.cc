#include "client/interrupt.h"

namespace slice {
namespace {

volatile std::sig_atomic_t interrupted_by_signal = 0;

void Note(int) { interrupted_by_signal = 1; }

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted_by_signal = 0;
  struct sigaction action = {};
  action.sa_handler = Note;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptWatch::interrupted() const { return interrupted_by_signal != 0; }

}  // namespace slice
