// The files of a training run.
#ifndef SLICE_TRAINER_FIT_TRAINING_FILES_H_
#define SLICE_TRAINER_FIT_TRAINING_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/split/split_options.h"

namespace slice {

struct TrainingFiles {
  // Either three files of links, or one that is split (split.links).
  std::filesystem::path train, valid, test;
  SplitOptions split;
  // What the split did; set by Fit.
  std::vector<std::string> split_description;
  std::filesystem::path nodes;  // optional
  EdgeListImportOptions files;  // the columns; its paths are not read

  // Whether the links come from one file.
  bool splits_links() const { return !split.links.empty(); }

  // INVALID_ARGUMENT when a file is missing, when one file and three are given,
  // or when an option of the split is wrong.
  absl::Status ValidateFiles() const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_TRAINING_FILES_H_
