// Trains a method on a small graph and asks it for scores.
#ifndef SLICE_TESTS_TRAINER_METHODS_WALKS_WALK_METHOD_FIXTURE_H_
#define SLICE_TESTS_TRAINER_METHODS_WALKS_WALK_METHOD_FIXTURE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/method_parameters.h"

namespace slice {

class WalkMethodTest : public ::testing::Test {
 protected:
  // `small` are settings that make every training short.
  WalkMethodTest(MethodInfo info, std::vector<std::string> small,
                 const GraphData& data)
      : info_(std::move(info)),
        small_(std::move(small)),
        snapshot_(BuildSnapshotOrDie(data)) {}

  // With these settings alone.
  absl::StatusOr<std::unique_ptr<const TrainedMethod>> TryTrain(
      const std::vector<std::string>& settings) {
    MethodInput input;
    input.snapshot = snapshot_.get();
    input.threads = threads_;
    input.seed = seed_;
    input.budget = budget_;
    return info_.train(input,
                       *ParameterValues::Parse(info_.parameters, settings));
  }

  // With the settings of a short training, and these in place of theirs.
  std::unique_ptr<const TrainedMethod> Train(
      std::vector<std::string> settings = {}) {
    settings.insert(settings.begin(), small_.begin(), small_.end());
    auto trained = TryTrain(settings);
    EXPECT_TRUE(trained.ok()) << trained.status();
    return *std::move(trained);
  }

  absl::StatusCode CodeOfTraining(const GraphData& data) {
    snapshot_ = BuildSnapshotOrDie(data);
    return TryTrain({}).status().code();
  }

  static float Score(const TrainedMethod& method, const Link& link) {
    float score = 0;
    method.Score({&link, 1}, {&link, 1}, {&score, 1});
    return score;
  }

  const MethodInfo info_;
  const std::vector<std::string> small_;
  std::shared_ptr<const GraphSnapshot> snapshot_;
  int threads_ = 1;
  absl::Duration budget_ = absl::InfiniteDuration();
  uint64_t seed_ = 1;
};

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_METHODS_WALKS_WALK_METHOD_FIXTURE_H_
