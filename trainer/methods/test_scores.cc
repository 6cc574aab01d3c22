#include "trainer/methods/test_scores.h"

#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "common/npy_file.h"
#include "common/parallel.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/evaluation/paired_bootstrap.h"

namespace slice {
namespace {

constexpr size_t kColumns = 2;
constexpr size_t kDrawsAtOnce = 16;
constexpr uint64_t kDrawSeed = 1;

}  // namespace

std::vector<double> TestScores::DrawAurocs(size_t draws, int threads) const {
  std::vector<uint32_t> rows(scores.size());
  std::iota(rows.begin(), rows.end(), uint32_t{0});
  const SortedLinks sorted(scores, labels, rows);
  std::vector<double> aurocs(draws);
  ParallelFor(draws, kDrawsAtOnce, threads, [&](size_t begin, size_t end, int) {
    DrawnRows drawn(scores.size());
    for (size_t draw = begin; draw < end; ++draw) {
      Random random(CombineHash(kDrawSeed, draw));
      DrawRows(random, drawn);
      aurocs[draw] = sorted.Auroc(drawn);
    }
  });
  return aurocs;
}

absl::Status WriteTestScores(const std::filesystem::path& folder,
                             const TestScores& scores) {
  std::vector<float> values;
  values.reserve(scores.scores.size() * kColumns);
  for (size_t i = 0; i < scores.scores.size(); ++i) {
    values.push_back(scores.scores[i]);
    values.push_back(scores.labels[i]);
  }
  return WriteNpyMatrix(folder / kTestScoresFile, values, kColumns);
}

absl::StatusOr<TestScores> ReadTestScores(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kTestScoresFile;
  SLICE_ASSIGN_OR_RETURN(const NpyMatrix matrix, ReadNpyMatrix(file));
  if (matrix.columns != kColumns) {
    return absl::InvalidArgumentError(
        absl::StrCat(file.string(), " has ", matrix.columns,
                     " columns, not a score and a label; remove the folder "
                     "to make the run again"));
  }
  TestScores scores;
  for (size_t row = 0; row < matrix.rows; ++row) {
    const float score = matrix.values[row * kColumns];
    if (std::isnan(score)) {
      return absl::InvalidArgumentError(absl::StrCat(
          file.string(), ": the score of row ", row + 1, " is no number"));
    }
    scores.scores.push_back(score);
    scores.labels.push_back(matrix.values[row * kColumns + 1] > 0 ? 1 : 0);
  }
  return scores;
}

}  // namespace slice
