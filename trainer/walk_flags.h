// The flags of node2vec's walks. The commands that train node2vec share them.
#ifndef SLICE_TRAINER_WALK_FLAGS_H_
#define SLICE_TRAINER_WALK_FLAGS_H_

#include "common/command/flags.h"
#include "trainer/embedding/node2vec.h"

namespace slice {

// Adds --walks-per-node, --walk-length, --window and --subsample. `options`
// must outlive the parsing.
void AddWalkFlags(CommandFlags& command, Node2vecOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_WALK_FLAGS_H_
