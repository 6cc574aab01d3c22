// `slice-trainer sweep`: a grid of fit's flags (trainer/sweep.h).
#ifndef SLICE_TRAINER_SWEEP_COMMAND_H_
#define SLICE_TRAINER_SWEEP_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineSweep(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_COMMAND_H_
