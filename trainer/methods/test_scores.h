// The scores that a run gave to the rows of its test file, kept beside its
// report, so that two runs can be compared row by row.
#ifndef SLICE_TRAINER_METHODS_TEST_SCORES_H_
#define SLICE_TRAINER_METHODS_TEST_SCORES_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

inline constexpr char kTestScoresFile[] = "test_scores.npy";

// Both [rows], in the order of the file.
struct TestScores {
  std::vector<float> scores;
  std::vector<uint8_t> labels;  // 1: a link

  // The AUROCs of draws of all rows with replacement. Equal calls for two runs
  // draw the same rows, if these have equally many. Equal for any number of
  // threads.
  std::vector<double> DrawAurocs(size_t draws, int threads) const;
};

// Writes kTestScoresFile into `folder`: a row holds the score and the label.
// Returns the errors of WriteNpyMatrix().
absl::Status WriteTestScores(const std::filesystem::path& folder,
                             const TestScores& scores);

// Returns the errors of ReadNpyMatrix(). INVALID_ARGUMENT, naming the file,
// when it does not hold two columns, or a score that is no number.
absl::StatusOr<TestScores> ReadTestScores(const std::filesystem::path& folder);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_TEST_SCORES_H_
