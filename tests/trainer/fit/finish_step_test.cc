#include "trainer/fit/finish_step.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "common/files.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Each run writes a file with the next number.
class CountingStep {
 public:
  struct Result {
    std::string fingerprint;
  };
  static constexpr char kName[] = "count";

  CountingStep(const TempDirectory& directory, int& runs)
      : directory_(directory), runs_(runs) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const {
    return MakeStepFingerprint(kName, {{"--option", 1}});
  }
  absl::StatusOr<Json> Run() const {
    directory_.Write("count.txt", std::to_string(++runs_));
    return Json::object();
  }
  absl::StatusOr<Result> Load(const Json&) const { return Result(); }

 private:
  const TempDirectory& directory_;
  int& runs_;
};

// Training on several threads gives another result each time.
TEST(FinishStepTest, AnotherResultOfTheSameOptionsHasAnotherFingerprint) {
  const TempDirectory directory;
  int runs = 0;
  StepLog log(directory.path(), 3);
  const auto finish = [&] {
    const auto result = FinishStep(log, CountingStep(directory, runs));
    EXPECT_TRUE(result.ok()) << result.status();
    return result->fingerprint;
  };
  const std::string first = finish();
  EXPECT_EQ(finish(), first);
  EXPECT_EQ(runs, 1);
  log.Forget(CountingStep::kName);
  EXPECT_NE(finish(), first);
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace slice
