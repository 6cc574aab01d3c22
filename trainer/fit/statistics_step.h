// The step `statistics`: makes what pair features read besides the graph. Slot
// tables, slot profiles, path rules and spectral factors of the whole training
// graph go to graph_statistics.bin, and so do walk vectors. Spectral factors
// and walk vectors of the graph without its part N go to fold.N.bin, with path
// rules if the part is a fold.
#ifndef SLICE_TRAINER_FIT_STATISTICS_STEP_H_
#define SLICE_TRAINER_FIT_STATISTICS_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/encoder_tables.h"
#include "context/slot_profile.h"
#include "graphstore/graph_statistics.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {

// Movable, not copyable: the tables are views into the statistics. Without pair
// features there are no parts.
struct TrainingStatistics {
  TrainingStatistics() = default;
  TrainingStatistics(TrainingStatistics&&) = default;
  TrainingStatistics& operator=(TrainingStatistics&&) = default;

  // The file with the statistics of the whole graph. Only the next step reads
  // it: that step adds the scaling of the features, and saves the statistics in
  // a file of its own.
  std::filesystem::path whole_graph;

  // The statistics of the graph without each fold, then without the links of
  // each part of the sources (docs/leakage.md, sections 5 and 6).
  std::vector<GraphStatistics> parts;
  std::vector<EncoderTables> part_tables;  // parallel to `parts`
  size_t fold_count = 0;
  std::string fingerprint;

  std::span<const EncoderTables> by_fold() const {
    return std::span(part_tables).first(fold_count);
  }
  std::span<const EncoderTables> by_source() const {
    return std::span(part_tables).subspan(fold_count);
  }
};

// A step as finish_step.h describes it. `options` and `training` must outlive
// it.
class StatisticsStep {
 public:
  static constexpr char kName[] = "statistics";

  StatisticsStep(const FitOptions& options, const ImportedTraining& training)
      : options_(options), training_(training) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<TrainingStatistics> Load(const nlohmann::json& record) const;

 private:
  int SourceParts() const;
  int PartCount() const { return options_.folds + SourceParts(); }
  int CappedSpectralRank() const;
  std::filesystem::path WholeFile() const;
  std::filesystem::path PartFile(int part) const;
  absl::StatusOr<SlotProfile> MakeProfile() const;
  std::vector<PathRules> MineRules() const;
  absl::Status RunParts(const std::vector<PathRules>& rules,
                        GraphStatistics& whole) const;
  // `rank` is that of the spectral factors.
  absl::Status AddTables(int part, int rank, GraphStatistics& statistics) const;
  // Of the graph that `view` shows, which is that of AddTables(part).
  absl::Status AddTablesOf(const GraphView& view, int part, int rank,
                           GraphStatistics& statistics) const;

  const FitOptions& options_;
  const ImportedTraining& training_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STATISTICS_STEP_H_
