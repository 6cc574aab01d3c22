// slice-trainer sign: signs a bundle, so that servers with the key accept it.
#ifndef SLICE_TRAINER_SIGN_COMMAND_H_
#define SLICE_TRAINER_SIGN_COMMAND_H_

#include "common/command/run_program.h"

namespace slice {

StatusRun DefineSign(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_SIGN_COMMAND_H_
