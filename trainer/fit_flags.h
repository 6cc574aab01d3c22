// The flags of `slice-trainer fit`, for the command itself and for a sweep.
#ifndef SLICE_TRAINER_FIT_FLAGS_H_
#define SLICE_TRAINER_FIT_FLAGS_H_

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/sweep.h"

namespace slice {

// What the command line says beyond the options of a command.
struct FitFlags {
  FitOptions options;
  std::optional<std::string> embeddings;
  std::optional<int> dim;
  bool compare = false;
  bool json = false;
  std::string columns, held_out_columns;
};

// `flags` must outlive the parsing.
void AddFitFiles(CLI::App* command, FitFlags& flags);
void AddFitSettings(CLI::App* command, FitFlags& flags);

// Sets what is only known when all flags are. INVALID_ARGUMENT naming what is
// wrong.
absl::Status FinishFlags(FitFlags& flags);

// The options of fit from the flags that all cells of a sweep share and those
// of one cell. INVALID_ARGUMENT naming the cell.
absl::StatusOr<FitOptions> CellOptions(const std::vector<std::string>& common,
                                       const SweepCell& cell,
                                       const std::filesystem::path& out);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FLAGS_H_
