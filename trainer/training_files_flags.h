// The flags that name the files of a training. The commands that train share
// them.
#ifndef SLICE_TRAINER_TRAINING_FILES_FLAGS_H_
#define SLICE_TRAINER_TRAINING_FILES_FLAGS_H_

#include <cstdint>
#include <filesystem>
#include <optional>

#include "common/command/flags.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/split/split_options.h"

namespace slice {

// The variables that receive the values of the flags. All must outlive the
// parsing.
struct TrainingFilesFlags {
  std::filesystem::path &train, &valid, &test, &nodes;
  LinkFileTexts& link_files;
  // With it, one file may take the place of the three.
  SplitOptions* split = nullptr;
  // With them, a store may.
  std::filesystem::path* from_store = nullptr;
  std::optional<uint64_t>* graph_version = nullptr;
};

// Adds --train, --valid and --test, --nodes, and the flags of
// graphstore/link_file_flags.h; with `split` also --links and the flags of
// graphstore/split/split_flags.h. Without `split` the first three are required.
void AddTrainingFiles(CommandFlags& command, const TrainingFilesFlags& files);

}  // namespace slice

#endif  // SLICE_TRAINER_TRAINING_FILES_FLAGS_H_
