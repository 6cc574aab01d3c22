// `slice-trainer fit`, and the commands embed, pretrain and finetune, which run
// the steps of fit up to the one in their name.
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
