// Derives statistics from the training graph, in these steps:
//   1. slot compatibility and slot profiles, of the whole graph;
//   2. path rules, of the whole graph and without each fold;
//   3. spectral factors and walk vectors, of the whole graph, without each
//      fold, and without the links of each part of the sources. The last are
//      made only if some relation has an unlinked share above 0.
// A training example reads tables that were made without its own link
// (docs/leakage.md). The graphs that lack some links are numbered as parts:
// part i < folds lacks fold i, and part i >= folds lacks the links that
// EraseSourcePart removes for source part i - folds.
#include "trainer/fit/statistics_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/logging.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/walk_tables.h"
#include "trainer/fit/warm_start.h"
#include "trainer/learning/training_links.h"
#include "trainer/statistics/rule_mining.h"
#include "trainer/statistics/slot_profile_fit.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr int kSourceParts = 2;
// A small graph whose questions hide other links gets a rank of at most the
// nodes divided by this.
constexpr size_t kNodesPerRank = 8;

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

// Whether at least a hundredth of the links have another link between their
// ends. Looks at a sample.
bool HasOtherLinks(const GraphSnapshot& graph) {
  constexpr size_t kSample = 20'000, kShare = 100;
  const std::vector<Link> links = AllLinks(graph);
  const GraphView view(graph);
  const size_t step = links.size() / kSample + 1;
  size_t looked_at = 0, accompanied = 0;
  for (size_t i = 0; i < links.size(); i += step) {
    ++looked_at;
    const Link& link = links[i];
    accompanied += link.source != link.target &&
                   view.ArcsBetween(link.source, link.target).size() > 1;
  }
  return looked_at > 0 && accompanied * kShare >= looked_at;
}

}  // namespace

// How many parts the sources are split into: 0 when all unlinked shares are 0,
// since then no example hides all links of its relation at the source.
int StatisticsStep::SourceParts() const {
  const std::vector<double>& shares = training_.unlinked_shares;
  const bool any = std::any_of(shares.begin(), shares.end(),
                               [](double share) { return share > 0; });
  return any ? kSourceParts : 0;
}

std::filesystem::path StatisticsStep::WholeFile() const {
  return options_.WorkFile("graph_statistics.bin");
}

std::filesystem::path StatisticsStep::PartFile(int part) const {
  return options_.WorkFile(absl::StrCat("fold.", part, ".bin"));
}

absl::StatusOr<StepFingerprint> StatisticsStep::Fingerprint() const {
  return MakeStepFingerprint(
      kName,
      {{"--spectral-rank", CappedSpectralRank()},
       {"--walk-dim", options_.walk_dim},
       {"the parts of the sources", SourceParts()},
       {"the number of pair features", training_.network.pair_features},
       {"--own-pair-links",
        OwnPairLinksName(options_.recorded_own_pair_links())},
       {"the size of slot profiles", kProfileDim}},
      training_.parts);
}

// Factors of a high rank reproduce single links of a small graph. Where
// questions hide the other links of their pair, these links would come back by
// the factors of the whole graph, which no training example saw.
int StatisticsStep::CappedSpectralRank() const {
  const GraphSnapshot& graph = training_.graph();
  const int rank = options_.SpectralRank(graph.link_count());
  if (options_.spectral_rank != FitOptions::kRankBySize ||
      options_.recorded_own_pair_links() != OwnPairLinks::kHide ||
      !HasOtherLinks(graph)) {
    return rank;
  }
  return static_cast<int>(std::min<size_t>(
      rank, std::max<size_t>(2, graph.node_count() / kNodesPerRank)));
}

absl::StatusOr<Json> StatisticsStep::Run() const {
  GraphStatistics whole;
  if (training_.network.pair_features > 0) {
    const GraphSnapshot& graph = training_.graph();
    if (const auto slots = SlotCompatibility::Build(graph)) {
      slots->AddTo(whole);
      SLICE_ASSIGN_OR_RETURN(const SlotProfile profile, MakeProfile());
      profile.AddTo(whole);
    }
    const std::vector<PathRules> rules = MineRules();
    rules.back().AddTo(whole);
    SLICE_RETURN_IF_ERROR(RunParts(rules, whole));
  }
  SLICE_RETURN_IF_ERROR(whole.Save(WholeFile()));
  return Json::object();
}

// The profile of the older bundle, by whose directions its network reads nodes;
// otherwise one that fits the graph.
absl::StatusOr<SlotProfile> StatisticsStep::MakeProfile() const {
  if (training_.warm != nullptr) {
    SLICE_ASSIGN_OR_RETURN(
        std::optional<SlotProfile> older,
        training_.warm->ProfileFor(training_.graph().relations()));
    if (older) return *std::move(older);
  }
  return FitSlotProfile(training_.graph());
}

// The rules without each fold, and last those of the whole graph.
std::vector<PathRules> StatisticsStep::MineRules() const {
  const absl::Time start = absl::Now();
  RuleMiningOptions mining;
  mining.hide_pair = options_.recorded_own_pair_links() == OwnPairLinks::kHide;
  mining.threads = options_.WorkerThreads();
  mining.seed = options_.seed;
  std::vector<PathRules> rules =
      MinePathRules(training_.graph(), training_.folds, mining);
  LogInfo("path rules: %d, mined in %.1f s",
          static_cast<int>(rules.back().rules().size()),
          absl::ToDoubleSeconds(absl::Now() - start));
  return rules;
}

// Saves the statistics of each part; adds the tables of the whole graph to
// `whole`.
absl::Status StatisticsStep::RunParts(const std::vector<PathRules>& rules,
                                      GraphStatistics& whole) const {
  const int rank = CappedSpectralRank();
  for (int part = 0; part < PartCount(); ++part) {
    GraphStatistics of_part;
    SLICE_RETURN_IF_ERROR(AddTables(part, rank, of_part));
    if (part < options_.folds) rules[part].AddTo(of_part);
    SLICE_RETURN_IF_ERROR(of_part.Save(PartFile(part)));
  }
  return AddTables(PartCount(), rank, whole);
}

// Adds the tables of the graph without one part, or of the whole graph when
// `part` is PartCount().
absl::Status StatisticsStep::AddTables(int part, int rank,
                                       GraphStatistics& statistics) const {
  const LinkFolds& folds = training_.folds;
  if (part == PartCount()) {
    return AddTablesOf(GraphView(training_.graph()), part, rank, statistics);
  }
  if (part < options_.folds && folds.unit() == LinkFolds::Unit::kPair) {
    GraphView view(training_.graph());
    view.HideFold(&folds, part);
    return AddTablesOf(view, part, rank, statistics);
  }
  GraphData data = training_.imported.data;
  if (part < options_.folds) {
    EraseFold(folds, part, &data);
  } else {
    EraseSourcePart(part - options_.folds, kSourceParts,
                    training_.unlinked_shares, &data);
  }
  SLICE_ASSIGN_OR_RETURN(const auto reduced, GraphSnapshot::Build(data));
  return AddTablesOf(GraphView(*reduced), part, rank, statistics);
}

absl::Status StatisticsStep::AddTablesOf(const GraphView& view, int part,
                                         int rank,
                                         GraphStatistics& statistics) const {
  const std::string of =
      absl::StrCat(" of graph ", part + 1, " of ", PartCount() + 1);
  if (rank > 0) {
    SpectralFactorOptions spectral;
    spectral.rank = rank;
    spectral.threads = options_.WorkerThreads();
    spectral.seed = options_.seed;
    ProgressLine progress(absl::StrCat("spectral factors", of), 1, "graph");
    SLICE_ASSIGN_OR_RETURN(SpectralFactors factors,
                           ComputeSpectralFactors(view, spectral));
    AddFactors(std::move(factors), statistics);
    progress.Advance(1);
    progress.Finish(absl::StrCat("rank ", rank));
  }
  if (options_.walk_dim > 0) {
    WalkTableOptions walks;
    walks.dim = options_.walk_dim;
    walks.threads = options_.WorkerThreads();
    walks.seed = options_.seed;
    walks.title += of;
    SLICE_RETURN_IF_ERROR(AddWalkTables(view, walks, statistics));
  }
  return absl::OkStatus();
}

absl::StatusOr<TrainingStatistics> StatisticsStep::Load(const Json&) const {
  TrainingStatistics statistics;
  statistics.whole_graph = WholeFile();
  if (training_.network.pair_features == 0) return statistics;
  const GraphSnapshot& graph = training_.graph();
  statistics.fold_count = options_.folds;
  statistics.parts.resize(PartCount());
  for (int part = 0; part < PartCount(); ++part) {
    SLICE_ASSIGN_OR_RETURN(statistics.parts[part],
                           GraphStatistics::Load(PartFile(part)));
    SLICE_ASSIGN_OR_RETURN(statistics.part_tables.emplace_back(),
                           EncoderTables::FromStatistics(
                               statistics.parts[part], graph.relation_count(),
                               graph.node_count(), /*feature_count=*/0));
  }
  return statistics;
}

}  // namespace slice
