// `slice-trainer fit` and its steps, which run it up to a point: embed,
// pretrain and finetune.
#ifndef SLICE_TRAINER_FIT_COMMAND_H_
#define SLICE_TRAINER_FIT_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineFit(CommandFlags& flags);
StatusRun DefineEmbed(CommandFlags& flags);
StatusRun DefinePretrain(CommandFlags& flags);
StatusRun DefineFineTune(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_COMMAND_H_
