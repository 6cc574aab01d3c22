// The step `split`, with --links alone: splits one file of links into train,
// valid and test. Writes split/train.tsv, split/valid.tsv and split/test.tsv.
#ifndef SLICE_TRAINER_FIT_SPLIT_STEP_H_
#define SLICE_TRAINER_FIT_SPLIT_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/step_fingerprint.h"

namespace slice {

struct SplitLinkFiles {
  bool has_weights = false;
  std::vector<std::string> description;  // what the split did, in a few lines
  std::string fingerprint;
};

// A step as finish_step.h describes it. `options` must outlive it.
class SplitStep {
 public:
  static constexpr char kName[] = "split";

  explicit SplitStep(const FitOptions& options) : options_(options) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<SplitLinkFiles> Load(const nlohmann::json& record) const;

 private:
  SplitOptions Split() const;
  // The bundle whose train links are not held out; empty: none.
  const std::filesystem::path& NewTo() const;

  const FitOptions& options_;
};

// `options` with the files of the split in place of --links.
FitOptions WithSplitFiles(const FitOptions& options,
                          const SplitLinkFiles& files);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_SPLIT_STEP_H_
