// The files of a training run.
#ifndef SLICE_TRAINER_FIT_TRAINING_FILES_H_
#define SLICE_TRAINER_FIT_TRAINING_FILES_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/split/split_options.h"
#include "model/bundle_manifest.h"

namespace slice {

// The graph of a store that a training reads. Fit sets it.
struct StoreGraph {
  LiveGraphOrigin origin;
  // In the order of the store, which a server expects of the bundle.
  std::vector<std::string> relations, node_types;
};

struct TrainingFiles {
  // Either three files of links, or one that is split (split.links), or a store
  // whose links are split.
  std::filesystem::path train, valid, test;
  SplitOptions split;
  // The directory of a graph that a server may be changing, or the data
  // directory of the server.
  std::filesystem::path from_store;
  std::optional<uint64_t> graph_version;  // absent: the last one
  std::optional<StoreGraph> store_graph;
  // An older bundle whose train links are not held out by the split, so that
  // the two bundles can be compared. Empty: that of FitOptions::warm_start.
  std::filesystem::path new_to;
  // What the split did; set by Fit.
  std::vector<std::string> split_description;
  std::filesystem::path nodes;  // optional
  EdgeListImportOptions files;  // the columns; its paths are not read

  // Whether the links come from one place.
  bool splits_links() const {
    return !split.links.empty() || !from_store.empty();
  }

  // INVALID_ARGUMENT when a file is missing, when one file and three are given,
  // or when an option of the split is wrong.
  absl::Status ValidateFiles() const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_TRAINING_FILES_H_
