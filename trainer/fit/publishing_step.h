// The step `bundle`: puts everything that the server needs into one folder,
// FitOptions::out.
#ifndef SLICE_TRAINER_FIT_PUBLISHING_STEP_H_
#define SLICE_TRAINER_FIT_PUBLISHING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/bundle_manifest.h"
#include "trainer/fit/evaluation_step.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/trained_model.h"
#include "trainer/report/report_parts.h"

namespace slice {

struct PublishedBundle {
  std::filesystem::path directory;
  std::string fingerprint;
};

// A step as finish_step.h describes it; what it is given must outlive it.
// `finished` are the steps before this one, which the report lists.
class PublishingStep {
 public:
  static constexpr char kName[] = "bundle";

  PublishingStep(const TrainedModel& model, const EvaluatedModel& evaluated,
                 std::vector<StepTime> finished)
      : model_(model), evaluated_(evaluated), finished_(std::move(finished)) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<PublishedBundle> Load(const nlohmann::json& record) const;

 private:
  absl::Status StageGraph(const std::filesystem::path& staging) const;
  absl::Status StageReport(const std::filesystem::path& staging,
                           const std::string& bundle_id) const;
  BundleManifest MakeManifest() const;

  const TrainedModel& model_;
  const EvaluatedModel& evaluated_;
  const std::vector<StepTime> finished_;
};

// Whether there is a bundle at `directory`.
bool HasBundle(const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_PUBLISHING_STEP_H_
