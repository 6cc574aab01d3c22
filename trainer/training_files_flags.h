// The flags that name the files of a training. The commands that train share
// them.
#ifndef SLICE_TRAINER_TRAINING_FILES_FLAGS_H_
#define SLICE_TRAINER_TRAINING_FILES_FLAGS_H_

#include <filesystem>
#include <string>

#include "common/command/flags.h"

namespace slice {

// The variables that receive the values of the flags. All must outlive the
// parsing.
struct TrainingFilesFlags {
  std::filesystem::path &train, &valid, &test, &nodes;
  // ApplyColumns() (graphstore/edge_list_import_options.h) reads these two.
  std::string &columns, &held_out_columns;
};

// Adds --train, --valid, --test, --nodes, --columns and --held-out-columns. The
// first three are required.
void AddTrainingFiles(CommandFlags& command, const TrainingFilesFlags& files);

}  // namespace slice

#endif  // SLICE_TRAINER_TRAINING_FILES_FLAGS_H_
