#include "trainer/fit/split_step.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "graphstore/split/split_files.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/step_fingerprint.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr char kFolder[] = "split";
// Increase this when the same links and options come to give another split.
constexpr int kSplitVersion = 2;

}  // namespace

SplitOptions SplitStep::Split() const {
  SplitOptions split = options_.split;
  split.nodes = options_.nodes;
  return split;
}

const std::filesystem::path& SplitStep::NewTo() const {
  return options_.new_to.empty() ? options_.warm_start : options_.new_to;
}

absl::StatusOr<StepFingerprint> SplitStep::Fingerprint() const {
  const SplitOptions split = Split();
  Json parts = {{"the version of the split", kSplitVersion},
                {"--split-by", std::string(SplitRuleName(split.rule))},
                {"--valid-share", split.valid_share},
                {"--test-share", split.test_share},
                {"--split-relation", split.relation},
                {"--split-seed", split.seed},
                {"--columns", split.link_files.columns},
                {"--format", split.link_files.format}};
  SLICE_ASSIGN_OR_RETURN(parts["the file of --links"], Sha256File(split.links));
  if (!NewTo().empty()) {
    SLICE_ASSIGN_OR_RETURN(parts["the bundle of --warm-start or --new-to"],
                           Sha256File(NewTo() / "MANIFEST.json"));
  }
  if (!split.nodes.empty()) {
    SLICE_ASSIGN_OR_RETURN(parts["the file of --nodes"],
                           Sha256File(split.nodes));
  }
  return MakeStepFingerprint(kName, parts);
}

absl::StatusOr<Json> SplitStep::Run() const {
  SplitOptions split = Split();
  if (!NewTo().empty()) {
    SLICE_ASSIGN_OR_RETURN(std::shared_ptr<const OfflineModel> older,
                           OfflineModel::Open(NewTo()));
    split.learned = {older, &older->graph()};
  }
  SLICE_ASSIGN_OR_RETURN(const SplitSummary summary,
                         WriteSplit(split, options_.WorkFile(kFolder)));
  for (const std::string& recognised : summary.recognised)
    LogInfo("read %s", recognised);
  return Json{{"has_weights", summary.has_weights},
              {"description", DescribeSplit(split, summary)}};
}

absl::StatusOr<SplitLinkFiles> SplitStep::Load(const Json& record) const {
  SplitLinkFiles files;
  files.has_weights = record["has_weights"].get<bool>();
  files.description = record["description"].get<std::vector<std::string>>();
  return files;
}

FitOptions WithSplitFiles(const FitOptions& options,
                          const SplitLinkFiles& files) {
  FitOptions split = options;
  const SplitPaths paths(options.WorkFile(kFolder));
  split.train = paths.train;
  split.valid = paths.valid;
  split.test = paths.test;
  split.split_description = files.description;
  ReadAsSplit(files.has_weights, &split.files);
  return split;
}

}  // namespace slice
