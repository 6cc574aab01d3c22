// A run whose report lies below `out` has its scores beside it. Runs that come
// from an earlier comparison.json have none, and neither have runs of programs
// before scores were kept: their cells have no interval.
#include "trainer/methods/comparison/paired_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/logging.h"
#include "common/processor_count.h"

namespace slice {
namespace {

constexpr size_t kDraws = 1000;
constexpr double kConfidence = 0.95;
constexpr char kReference[] = "slice";

// By draw: the mean over the runs. Empty when a run has other rows than
// `labels`.
std::vector<double> MeanAurocs(std::span<const TestScores> runs,
                               const std::vector<uint8_t>& labels,
                               int threads) {
  std::vector<double> means(kDraws);
  for (const TestScores& run : runs) {
    if (run.labels != labels) return {};
    const std::vector<double> aurocs = run.DrawAurocs(kDraws, threads);
    for (size_t draw = 0; draw < kDraws; ++draw) {
      means[draw] += aurocs[draw] / static_cast<double>(runs.size());
    }
  }
  return means;
}

// The value that a share of the sorted `values` does not exceed.
double Quantile(const std::vector<double>& values, double share) {
  return values[static_cast<size_t>(
      std::lround(share * static_cast<double>(values.size() - 1)))];
}

std::optional<TestScores> ScoresOf(const ComparisonOptions& options,
                                   const RunFigures& run) {
  if (run.page.empty()) return std::nullopt;
  const std::filesystem::path folder = (options.out / run.page).parent_path();
  absl::StatusOr<TestScores> scores = ReadTestScores(folder);
  if (scores.ok()) return *std::move(scores);
  if (!absl::IsNotFound(scores.status())) {
    LogWarning("no interval for this run: %s", scores.status().message());
  }
  return std::nullopt;
}

std::optional<ScoreDifference> LeadOver(const ComparisonOptions& options,
                                        const ComparisonCell& slice,
                                        const ComparisonCell& other) {
  std::vector<TestScores> ours, theirs;
  for (const RunFigures& run : other.runs) {
    const auto same = std::find_if(
        slice.runs.begin(), slice.runs.end(),
        [&run](const RunFigures& own) { return own.seed == run.seed; });
    if (same == slice.runs.end()) continue;
    auto own = ScoresOf(options, *same), others = ScoresOf(options, run);
    if (!own || !others) continue;
    ours.push_back(*std::move(own));
    theirs.push_back(*std::move(others));
  }
  const int threads = options.threads > 0 ? options.threads : ProcessorCount();
  return ComparePaired(ours, theirs, threads);
}

}  // namespace

std::optional<ScoreDifference> ComparePaired(std::span<const TestScores> ours,
                                             std::span<const TestScores> theirs,
                                             int threads) {
  if (ours.empty() || ours[0].labels.empty()) return std::nullopt;
  const std::vector<uint8_t>& labels = ours[0].labels;
  std::vector<double> differences = MeanAurocs(ours, labels, threads);
  const std::vector<double> of_theirs = MeanAurocs(theirs, labels, threads);
  if (differences.empty() || of_theirs.empty()) return std::nullopt;
  for (size_t draw = 0; draw < kDraws; ++draw) {
    differences[draw] -= of_theirs[draw];
  }
  std::sort(differences.begin(), differences.end());
  ScoreDifference difference;
  difference.mean =
      std::accumulate(differences.begin(), differences.end(), 0.0) / kDraws;
  difference.low = Quantile(differences, (1 - kConfidence) / 2);
  difference.high = Quantile(differences, (1 + kConfidence) / 2);
  difference.runs = ours.size();
  return difference;
}

void AddLeads(const ComparisonOptions& options, Comparison& comparison) {
  const auto slice = std::find_if(
      comparison.rows.begin(), comparison.rows.end(),
      [](const ComparisonRow& row) { return row.method == kReference; });
  if (slice == comparison.rows.end()) return;
  for (ComparisonRow& row : comparison.rows) {
    if (row.method == kReference) continue;
    for (size_t set = 0; set < row.cells.size(); ++set) {
      row.cells[set].lead_of_slice =
          LeadOver(options, slice->cells[set], row.cells[set]);
    }
  }
}

}  // namespace slice
