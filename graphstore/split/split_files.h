// Splits a file of links into files that `slice-trainer fit` takes.
#ifndef SLICE_GRAPHSTORE_SPLIT_SPLIT_FILES_H_
#define SLICE_GRAPHSTORE_SPLIT_SPLIT_FILES_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/split/split_options.h"

namespace slice {

// The held-out rows of one relation.
struct RelationSplit {
  std::string relation;
  uint64_t train = 0, valid = 0, test = 0;
};

struct SplitSummary {
  uint64_t train = 0, valid = 0, test = 0;  // links
  uint64_t valid_negatives = 0, test_negatives = 0;
  uint64_t missing_negatives = 0;  // links that got no non-link
  uint64_t repeated_rows = 0;
  uint64_t left_out = 0;             // links of relations that train lacks
  uint64_t held_out_only_nodes = 0;  // nodes of links, without a train link
  std::vector<RelationSplit> relations;
  std::vector<std::string> recognised;  // how the files are written
  bool has_weights = false;
};

// The files of a split.
struct SplitPaths {
  explicit SplitPaths(const std::filesystem::path& directory)
      : train(directory / "train.tsv"),
        valid(directory / "valid.tsv"),
        test(directory / "test.tsv") {}
  std::array<std::filesystem::path, 3> all() const {
    return {train, valid, test};
  }

  std::filesystem::path train, valid, test;
};

// Reads the links, splits them (graphstore/split/link_split.h), draws non-links
// for valid and test (graphstore/split/split_negatives.h), and writes
// train.tsv, valid.tsv and test.tsv to `directory`, which it makes. Each file
// has a header and its rows in the order of their keys. Texts that would be
// read as something else are in quotes (graphstore/tab_fields.h). Where a key
// is "source" or "target", an underscore makes the name of the column another
// one. Returns the errors of ReadSplitInput and SplitLinks; FAILED_PRECONDITION
// when valid or test has no non-link.
absl::StatusOr<SplitSummary> WriteSplit(const SplitOptions& options,
                                        const std::filesystem::path& directory);

// How the files of a split are written, for an importer that need not recognise
// it.
void ReadAsSplit(bool has_weights, EdgeListImportOptions* options);

// What a split did, in a few lines.
std::vector<std::string> DescribeSplit(const SplitOptions& options,
                                       const SplitSummary& summary);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SPLIT_SPLIT_FILES_H_
