#include "trainer/methods/test_scores.h"

#include <cmath>
#include <limits>

#include "common/npy_file.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

TestScores RandomScores(size_t rows, uint64_t seed) {
  Random random(seed);
  TestScores scores;
  for (size_t i = 0; i < rows; ++i) {
    scores.labels.push_back(i % 2);
    scores.scores.push_back(
        static_cast<float>(random.Uniform() + 0.3 * scores.labels.back()));
  }
  return scores;
}

TEST(TestScoresTest, AreReadAsTheyWereWritten) {
  const TempDirectory directory;
  const TestScores written = RandomScores(7, 1);
  ASSERT_TRUE(WriteTestScores(directory.path(), written).ok());
  const auto read = ReadTestScores(directory.path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->scores, written.scores);
  EXPECT_EQ(read->labels, written.labels);
}

TEST(TestScoresTest, RefusesWhatIsNoFileOfScores) {
  const TempDirectory directory;
  EXPECT_EQ(ReadTestScores(directory.path()).status().code(),
            absl::StatusCode::kNotFound);
  const auto file = directory / "test_scores.npy";
  const std::vector<float> three = {1, 2, 3};
  ASSERT_TRUE(WriteNpyMatrix(file, three, 3).ok());
  const auto columns = ReadTestScores(directory.path()).status();
  EXPECT_EQ(columns.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(columns.message()), HasSubstr("has 3 columns"));
  const std::vector<float> broken = {
      1, 1, std::numeric_limits<float>::quiet_NaN(), 0};
  ASSERT_TRUE(WriteNpyMatrix(file, broken, 2).ok());
  EXPECT_THAT(std::string(ReadTestScores(directory.path()).status().message()),
              HasSubstr("row 2 is no number"));
}

TEST(TestScoresTest, DrawsVaryAroundTheAurocOfAllRows) {
  const TestScores scores = RandomScores(400, 3);
  const std::vector<double> aurocs = scores.DrawAurocs(500, 2);
  EXPECT_EQ(aurocs, scores.DrawAurocs(500, 1));
  double mean = 0, square = 0;
  for (const double auroc : aurocs) {
    mean += auroc / 500;
    square += auroc * auroc / 500;
  }
  const double whole = Auroc(scores.scores, scores.labels);
  EXPECT_NEAR(mean, whole, 0.005);
  // The error of an AUROC (Hanley and McNeil, Radiology 1982).
  const double q1 = whole / (2 - whole), q2 = 2 * whole * whole / (1 + whole);
  const double variance = (whole * (1 - whole) + 199 * (q1 - whole * whole) +
                           199 * (q2 - whole * whole)) /
                          (200.0 * 200.0);
  EXPECT_NEAR(std::sqrt(square - mean * mean), std::sqrt(variance), 0.006);
}

}  // namespace
}  // namespace slice
