// The flag --threads of the commands that train and measure.
#ifndef SLICE_TRAINER_THREADS_FLAG_H_
#define SLICE_TRAINER_THREADS_FLAG_H_

#include "common/command/flags.h"

namespace slice {

inline Flag AddThreads(CommandFlags& flags, int& threads) {
  return flags.Add("--threads", threads, "threads; 0: all hardware threads")
      .Between(0, 1024);
}

}  // namespace slice

#endif  // SLICE_TRAINER_THREADS_FLAG_H_
