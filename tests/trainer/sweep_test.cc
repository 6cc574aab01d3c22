#include "trainer/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "common/files.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class SweepRunTest : public ::testing::Test {
 protected:
  void SetUp() override { WritePlantedFiles(directory_, 7); }

  SweepOptions Options() const {
    SweepOptions options;
    options.out = directory_ / "sweep";
    options.axes = {{"epochs", {"1", "2"}}};
    options.make_options =
        [this](const SweepCell& cell,
               const fs::path& out) -> absl::StatusOr<FitOptions> {
      FitOptions fit = BriefFitOptions();
      fit.train = directory_ / "train.txt";
      fit.valid = directory_ / "valid.txt";
      fit.test = directory_ / "test.txt";
      fit.out = out;
      fit.threads = 1;
      fit.node2vec.dim = 16;
      fit.node2vec.walks_per_node = 3;
      fit.node2vec.walk_length = 20;
      fit.structural_epochs = 1;
      fit.pretrain_epochs = 1;
      fit.batch_size = 64;
      fit.network.hidden_dim = 16;
      if (!absl::SimpleAtoi(cell[0].second, &fit.fine_tune_epochs)) {
        return absl::InvalidArgumentError("epochs is no number");
      }
      return fit;
    };
    return options;
  }

  TempDirectory directory_;
};

TEST_F(SweepRunTest, MeasuresEveryCellOnceAndPublishesNothing) {
  const SweepOptions options = Options();
  const absl::Status status = RunSweep(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto json =
      nlohmann::json::parse(*ReadFile(options.out / "sweep.json"));
  ASSERT_THAT(json["cells"], SizeIs(2));
  EXPECT_GT(json["cells"][0]["valid"]["plausible"]["auroc"], 0.7);
  EXPECT_GE(json["cells"][0]["valid"]["objective"],
            json["cells"][1]["valid"]["objective"]);
  EXPECT_FALSE(fs::exists(options.out / "epochs=1" / "bundle"));
  // The second cell took over the embeddings of the first.
  const auto steps = options.out / "epochs=2" / "bundle.work" / "steps";
  EXPECT_EQ(*ReadFile(steps / "embed.json"),
            *ReadFile(options.out / "epochs=1" / "bundle.work" / "steps" /
                      "embed.json"));
  // A second run finds everything done.
  const auto tuned = fs::last_write_time(steps / "fine-tune.json");
  ASSERT_TRUE(RunSweep(options).ok());
  EXPECT_EQ(fs::last_write_time(steps / "fine-tune.json"), tuned);
}

TEST_F(SweepRunTest, AWrongValueIsFoundBeforeAnythingRuns) {
  SweepOptions options = Options();
  options.axes[0].values = {"1", "many"};
  EXPECT_EQ(RunSweep(options).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(fs::exists(options.out));
}

TEST_F(SweepRunTest, AFlagThatThePresetIgnoresIsRefused) {
  SweepOptions options = Options();
  options.axes = {{"max_context_nodes", {"6", "12"}}};
  options.make_options =
      [this](const SweepCell&,
             const fs::path& out) -> absl::StatusOr<FitOptions> {
    FitOptions fit = BriefFitOptions();
    EXPECT_TRUE(fit.ApplyPreset("fast").ok());
    fit.train = directory_ / "train.txt";
    fit.valid = directory_ / "valid.txt";
    fit.test = directory_ / "test.txt";
    fit.out = out;
    return fit;
  };
  absl::Status status = RunSweep(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("--vary max_context_nodes"), HasSubstr("preset fast")));
  // The grid that a sweep takes without --vary is no better.
  options.axes.clear();
  status = RunSweep(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("without --vary"));
  EXPECT_FALSE(fs::exists(options.out));
}

}  // namespace
}  // namespace slice
