// The flags of `slice-trainer fit`, which `slice-trainer sweep` takes too.
#ifndef SLICE_TRAINER_FIT_FLAGS_H_
#define SLICE_TRAINER_FIT_FLAGS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/command/flags.h"
#include "trainer/fit/fit_options.h"
#include "trainer/sweep.h"

namespace slice {

// The options of fit, and the values of those flags that FinishFlags turns into
// options.
struct FitFlags {
  FitOptions options;
  std::optional<std::string> embeddings;
  std::optional<int> dim;
  bool random_embeddings = false;
  bool compare = false;
  LinkFileTexts link_files;
};

// AddFitFiles adds the flags that name files; AddFitSettings adds those of the
// model and its training. `flags` must outlive the parsing.
void AddFitFiles(CommandFlags& command, FitFlags& flags);
void AddFitSettings(CommandFlags& command, FitFlags& flags);

// Sets the options that depend on several flags. Call it when all flags are
// read. INVALID_ARGUMENT naming the flag.
absl::Status FinishFlags(FitFlags& flags);

// The options of fit for one cell of a sweep, that is, one combination of flag
// values. `common` are the flags that all cells share, as typed; `out` is the
// cell's own --out. INVALID_ARGUMENT naming the cell.
absl::StatusOr<FitOptions> CellOptions(const std::vector<std::string>& common,
                                       const SweepCell& cell,
                                       const std::filesystem::path& out);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FLAGS_H_
