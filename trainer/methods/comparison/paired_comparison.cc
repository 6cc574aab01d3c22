// A run whose report lies below `out` has its scores beside it. Runs that come
// from an earlier comparison.json have none, and neither have runs of programs
// before scores were kept: their cells have no interval.
#include "trainer/methods/comparison/paired_comparison.h"

#include <algorithm>
#include <map>
#include <utility>

#include "common/logging.h"
#include "common/processor_count.h"
#include "trainer/evaluation/paired_bootstrap.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr size_t kDraws = 1000;
constexpr double kConfidence = 0.95;
constexpr char kReference[] = "slice";

// What a run has on its test rows, and on each draw of them.
struct DrawnRun {
  DrawnRun(const TestScores& scores, int threads)
      : labels(scores.labels),
        auroc(Auroc(scores.scores, scores.labels)),
        drawn(scores.DrawAurocs(kDraws, threads)) {}

  std::vector<uint8_t> labels;
  double auroc;
  std::vector<double> drawn;  // [kDraws]
};

// A pair of runs: ours and theirs.
using RunPair = std::pair<const DrawnRun*, const DrawnRun*>;

std::optional<ScoreDifference> CompareRuns(std::span<const RunPair> pairs) {
  if (pairs.empty() || pairs[0].first->labels.empty()) return std::nullopt;
  ScoreDifference difference;
  std::vector<double> drawn(kDraws);
  const auto count = static_cast<double>(pairs.size());
  for (const auto& [ours, theirs] : pairs) {
    for (const DrawnRun* run : {ours, theirs}) {
      if (run->labels != pairs[0].first->labels) return std::nullopt;
    }
    difference.mean += (ours->auroc - theirs->auroc) / count;
    for (size_t draw = 0; draw < kDraws; ++draw) {
      drawn[draw] += (ours->drawn[draw] - theirs->drawn[draw]) / count;
    }
  }
  const PercentileInterval interval(drawn, kConfidence);
  difference.low = interval.low;
  difference.high = interval.high;
  difference.runs = pairs.size();
  return difference;
}

std::optional<DrawnRun> DrawRun(const ComparisonOptions& options,
                                const RunFigures& run) {
  if (run.page.empty()) return std::nullopt;
  const std::filesystem::path folder = (options.out / run.page).parent_path();
  const absl::StatusOr<TestScores> scores = ReadTestScores(folder);
  if (scores.ok()) {
    return DrawnRun(*scores,
                    options.threads > 0 ? options.threads : ProcessorCount());
  }
  if (!absl::IsNotFound(scores.status())) {
    LogWarning("no interval for this run: %s", scores.status().message());
  }
  return std::nullopt;
}

// By seed, of the runs that left scores.
std::map<uint64_t, DrawnRun> DrawRuns(const ComparisonOptions& options,
                                      const ComparisonCell& cell) {
  std::map<uint64_t, DrawnRun> runs;
  for (const RunFigures& run : cell.runs) {
    if (auto drawn = DrawRun(options, run)) {
      runs.emplace(run.seed, *std::move(drawn));
    }
  }
  return runs;
}

std::optional<ScoreDifference> LeadOver(
    const std::map<uint64_t, DrawnRun>& slice,
    const std::map<uint64_t, DrawnRun>& other) {
  std::vector<RunPair> pairs;
  for (const auto& [seed, theirs] : other) {
    const auto ours = slice.find(seed);
    if (ours != slice.end()) pairs.emplace_back(&ours->second, &theirs);
  }
  return CompareRuns(pairs);
}

}  // namespace

std::optional<ScoreDifference> ComparePaired(std::span<const TestScores> ours,
                                             std::span<const TestScores> theirs,
                                             int threads) {
  std::vector<DrawnRun> drawn;
  drawn.reserve(2 * ours.size());
  std::vector<RunPair> pairs;
  for (size_t i = 0; i < ours.size(); ++i) {
    const DrawnRun& own = drawn.emplace_back(ours[i], threads);
    pairs.emplace_back(&own, &drawn.emplace_back(theirs[i], threads));
  }
  return CompareRuns(pairs);
}

void AddLeads(const ComparisonOptions& options, Comparison& comparison) {
  const auto slice = std::find_if(
      comparison.rows.begin(), comparison.rows.end(),
      [](const ComparisonRow& row) { return row.method == kReference; });
  if (slice == comparison.rows.end()) return;
  for (size_t set = 0; set < slice->cells.size(); ++set) {
    const auto ours = DrawRuns(options, slice->cells[set]);
    if (ours.empty()) continue;
    for (ComparisonRow& row : comparison.rows) {
      if (row.method == kReference) continue;
      row.cells[set].lead_of_slice =
          LeadOver(ours, DrawRuns(options, row.cells[set]));
    }
  }
}

}  // namespace slice
