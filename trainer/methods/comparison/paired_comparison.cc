// A run whose report lies below `out` has its scores beside it. Runs that come
// from an earlier comparison.json have none, so their cells keep the lead that
// they had there. Runs of programs before scores were kept have no lead.
#include "trainer/methods/comparison/paired_comparison.h"

#include <algorithm>
#include <cmath>
#include <string_view>
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
// Another processor rounds otherwise, so that a repeated run differs by less.
constexpr double kSameAuroc = 1e-5;

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

// Adds `share` of the runs' mean to `mean`, and of their draws to `drawn`.
// Returns whether all runs have these labels.
bool AddRuns(std::span<const DrawnRun> runs, double share,
             std::span<const uint8_t> labels, double* mean,
             std::vector<double>& drawn) {
  const double part = share / static_cast<double>(runs.size());
  for (const DrawnRun& run : runs) {
    if (!std::ranges::equal(run.labels, labels)) return false;
    *mean += part * run.auroc;
    for (size_t draw = 0; draw < kDraws; ++draw) {
      drawn[draw] += part * run.drawn[draw];
    }
  }
  return true;
}

std::optional<ScoreDifference> CompareRuns(std::span<const DrawnRun> ours,
                                           std::span<const DrawnRun> theirs) {
  if (ours.empty() || theirs.empty() || ours[0].labels.empty()) {
    return std::nullopt;
  }
  ScoreDifference difference;
  std::vector<double> drawn(kDraws);
  if (!AddRuns(ours, 1, ours[0].labels, &difference.mean, drawn) ||
      !AddRuns(theirs, -1, ours[0].labels, &difference.mean, drawn)) {
    return std::nullopt;
  }
  const PercentileInterval interval(drawn, kConfidence);
  difference.low = interval.low;
  difference.high = interval.high;
  difference.runs = theirs.size();
  difference.our_runs = ours.size();
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

// The runs that left scores.
std::vector<DrawnRun> DrawRuns(const ComparisonOptions& options,
                               const ComparisonCell& cell) {
  std::vector<DrawnRun> runs;
  for (const RunFigures& run : cell.runs) {
    if (auto drawn = DrawRun(options, run)) runs.push_back(*std::move(drawn));
  }
  return runs;
}

// Whether they are one run, or one that was repeated.
bool IsSameRun(const RunFigures& a, const RunFigures& b) {
  return a.seed == b.seed && a.parameters == b.parameters && a.data == b.data &&
         std::abs(a.auroc - b.auroc) < kSameAuroc;
}

// Whether an earlier cell has runs, and all of them stand in this one.
bool HasRunsOf(const ComparisonCell& cell, const ComparedCell& earlier) {
  return !earlier.runs.empty() &&
         std::ranges::all_of(earlier.runs, [&](const RunFigures& run) {
           return std::ranges::any_of(cell.runs, [&](const RunFigures& other) {
             return IsSameRun(run, other);
           });
         });
}

// One data set of an earlier comparison.
class EarlierSet {
 public:
  EarlierSet(std::span<const ComparedCell> cells, std::string_view set)
      : cells_(cells), set_(set) {}

  // The earlier lead of slice over a method, if it still holds for these cells
  // of the method and of slice.
  std::optional<ScoreDifference> LeadOver(std::string_view method,
                                          const ComparisonCell& theirs,
                                          const ComparisonCell& ours) const {
    const ComparedCell* other = Find(method);
    const ComparedCell* reference = Find(kReference);
    if (other == nullptr || reference == nullptr ||
        !HasRunsOf(theirs, *other) || !HasRunsOf(ours, *reference)) {
      return std::nullopt;
    }
    return other->lead_of_slice;
  }

 private:
  const ComparedCell* Find(std::string_view method) const {
    const auto found =
        std::ranges::find_if(cells_, [&](const ComparedCell& cell) {
          return cell.set == set_ && cell.method == method;
        });
    return found == cells_.end() ? nullptr : &*found;
  }

  const std::span<const ComparedCell> cells_;
  const std::string_view set_;
};

bool IsOfFewerRuns(const ScoreDifference& one, const ScoreDifference& other) {
  return one.runs + one.our_runs < other.runs + other.our_runs;
}

std::vector<DrawnRun> DrawEach(std::span<const TestScores> runs, int threads) {
  std::vector<DrawnRun> drawn;
  for (const TestScores& scores : runs) drawn.emplace_back(scores, threads);
  return drawn;
}

}  // namespace

std::optional<ScoreDifference> ComparePaired(std::span<const TestScores> ours,
                                             std::span<const TestScores> theirs,
                                             int threads) {
  return CompareRuns(DrawEach(ours, threads), DrawEach(theirs, threads));
}

void AddLeads(const ComparisonOptions& options,
              std::span<const ComparedCell> earlier, Comparison& comparison) {
  const auto slice = std::find_if(
      comparison.rows.begin(), comparison.rows.end(),
      [](const ComparisonRow& row) { return row.method == kReference; });
  if (slice == comparison.rows.end()) return;
  for (size_t set = 0; set < slice->cells.size(); ++set) {
    const EarlierSet earlier_set(earlier, comparison.sets[set]);
    const auto ours = DrawRuns(options, slice->cells[set]);
    for (ComparisonRow& row : comparison.rows) {
      if (row.method == kReference) continue;
      std::optional<ScoreDifference>& lead = row.cells[set].lead_of_slice;
      if (!ours.empty()) {
        lead = CompareRuns(ours, DrawRuns(options, row.cells[set]));
      }
      const auto known =
          earlier_set.LeadOver(row.method, row.cells[set], slice->cells[set]);
      if (known && (!lead || IsOfFewerRuns(*lead, *known))) lead = known;
    }
  }
}

}  // namespace slice
