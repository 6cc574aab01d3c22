// The step of a run that summarises the graph: slot statistics and spectral
// factors.
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/logging.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "trainer/fit/fit_run.h"
#include "trainer/statistics/rule_mining.h"
#include "trainer/statistics/slot_profile_fit.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {
namespace {

constexpr int kSourceParts = 2;

using Json = nlohmann::json;

void AddFactors(SpectralFactors factors, GraphStatistics& statistics) {
  const auto nodes = static_cast<int64_t>(factors.nodes);
  const int64_t rank = factors.rank;
  statistics.Set("spectral.out",
                 {{nodes, rank}, std::move(factors.out_vectors)});
  statistics.Set("spectral.in", {{nodes, rank}, std::move(factors.in_vectors)});
  statistics.Set("spectral.symmetric",
                 {{nodes, rank}, std::move(factors.symmetric_vectors)});
  statistics.Set("spectral.singular_values", {{rank}, factors.singular_values});
  statistics.Set("spectral.eigenvalues", {{rank}, factors.eigenvalues});
}

}  // namespace

// How many parts the sources are split into (rule 6 of docs/leakage.md).
int FitRun::SourceParts() const {
  const bool any = std::any_of(unlinked_shares_.begin(), unlinked_shares_.end(),
                               [](double share) { return share > 0; });
  return any ? kSourceParts : 0;
}

// Factors of the graph without a fold, then, counting on, without the links of
// each part of the sources; beyond these of the whole graph.
absl::StatusOr<SpectralFactors> FitRun::FactorsWithout(
    int fold, const SpectralFactorOptions& spectral) const {
  if (fold == options_.folds + SourceParts()) {
    return ComputeSpectralFactors(GraphView(graph()), spectral);
  }
  if (fold < options_.folds && folds_->unit() == LinkFolds::Unit::kPair) {
    GraphView view(graph());
    view.HideFold(&*folds_, fold);
    return ComputeSpectralFactors(view, spectral);
  }
  GraphData data = imported_.data;
  if (fold < options_.folds) {
    EraseFold(*folds_, fold, &data);
  } else {
    EraseSourcePart(fold - options_.folds, kSourceParts, unlinked_shares_,
                    &data);
  }
  SLICE_ASSIGN_OR_RETURN(const auto reduced, GraphSnapshot::Build(data));
  return ComputeSpectralFactors(GraphView(*reduced), spectral);
}

std::vector<PathRules> FitRun::MineRules() const {
  const absl::Time start = absl::Now();
  RuleMiningOptions mining;
  mining.hide_pair = options_.recorded_own_pair_links() == "hide";
  mining.threads = threads_;
  mining.seed = options_.seed;
  std::vector<PathRules> rules = MinePathRules(graph(), *folds_, mining);
  LogInfo("path rules: %d, mined in %.1f s",
          static_cast<int>(rules.back().rules().size()),
          absl::ToDoubleSeconds(absl::Now() - start));
  return rules;
}

absl::StatusOr<Json> FitRun::RunStatistics() {
  GraphStatistics statistics;
  if (network_options_.pair_features == 0) {
    SLICE_RETURN_IF_ERROR(statistics.Save(Work("graph_statistics.bin")));
    return Json::object();
  }
  if (const auto slots = SlotCompatibility::Build(graph())) {
    slots->AddTo(statistics);
    SLICE_ASSIGN_OR_RETURN(const SlotProfile profile, FitSlotProfile(graph()));
    profile.AddTo(statistics);
  }
  const std::vector<PathRules> rules = MineRules();
  rules.back().AddTo(statistics);
  SpectralFactorOptions spectral;
  spectral.rank = options_.SpectralRank(graph().link_count());
  spectral.threads = threads_;
  spectral.seed = options_.seed;
  const int without = options_.folds + SourceParts();
  ProgressLine progress("spectral factors", without + 1, "graphs");
  for (int fold = 0; fold <= without; ++fold) {
    const bool is_all = fold == without;
    GraphStatistics of_fold;
    if (spectral.rank > 0) {
      SLICE_ASSIGN_OR_RETURN(SpectralFactors factors,
                             FactorsWithout(fold, spectral));
      AddFactors(std::move(factors), is_all ? statistics : of_fold);
    }
    if (fold < options_.folds) rules[fold].AddTo(of_fold);
    if (!is_all) {
      SLICE_RETURN_IF_ERROR(
          of_fold.Save(Work(absl::StrCat("fold.", fold, ".bin"))));
    }
    progress.Advance(1);
  }
  progress.Finish(absl::StrCat("rank ", spectral.rank));
  SLICE_RETURN_IF_ERROR(statistics.Save(Work("graph_statistics.bin")));
  return Json::object();
}

absl::Status FitRun::LoadTables(const std::string& file) {
  SLICE_ASSIGN_OR_RETURN(statistics_, GraphStatistics::Load(Work(file)));
  return MakeTables();
}

absl::Status FitRun::MakeTables() {
  const bool is_scaled = statistics_.Get("pair_features.scaling").ok();
  SLICE_ASSIGN_OR_RETURN(
      tables_, EncoderTables::FromStatistics(
                   statistics_, graph().relation_count(), graph().node_count(),
                   is_scaled ? network_options_.pair_features : 0));
  return absl::OkStatus();
}

absl::Status FitRun::LoadStatistics() {
  SLICE_RETURN_IF_ERROR(LoadTables("graph_statistics.bin"));
  if (!tables_.rules) return absl::OkStatus();
  fold_statistics_.resize(options_.folds + SourceParts());
  for (size_t fold = 0; fold < fold_statistics_.size(); ++fold) {
    SLICE_ASSIGN_OR_RETURN(
        fold_statistics_[fold],
        GraphStatistics::Load(Work(absl::StrCat("fold.", fold, ".bin"))));
    SLICE_ASSIGN_OR_RETURN(fold_tables_.emplace_back(),
                           EncoderTables::FromStatistics(
                               fold_statistics_[fold], graph().relation_count(),
                               graph().node_count(), 0));
  }
  return absl::OkStatus();
}

absl::Status FitRun::Summarize() {
  const PairFeatures features(graph().relation_count(),
                              graph().node_type_count());
  network_options_.pair_features =
      options_.uses_pair_features() ? static_cast<int>(features.names().size())
                                    : 0;
  statistics_print_ =
      StepFingerprint("statistics", {import_print_},
                      {{"rank", options_.SpectralRank(graph().link_count())},
                       {"source_parts", SourceParts()},
                       {"pair_features", network_options_.pair_features},
                       {"own_pair_links", options_.recorded_own_pair_links()},
                       {"profile", kProfileDim}});
  SLICE_RETURN_IF_ERROR(
      log_.Run("statistics", statistics_print_, [&] { return RunStatistics(); })
          .status());
  return LoadStatistics();
}

}  // namespace slice
