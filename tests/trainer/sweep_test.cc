#include "trainer/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "common/files.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/planted_files.h"
#include "trainer/sweep_cells.h"
#include "trainer/sweep_report.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(SweepAxisTest, IsAFlagAndItsValues) {
  const auto axis = ParseSweepAxis("learning_rate=1e-3,5e-4");
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->flag, "learning_rate");
  EXPECT_THAT(axis->values, ElementsAre("1e-3", "5e-4"));
  for (const char* wrong : {"", "layers", "layers=", "=1,2", "layers=,"}) {
    EXPECT_EQ(ParseSweepAxis(wrong).status().code(),
              absl::StatusCode::kInvalidArgument)
        << wrong;
  }
}

std::vector<std::string> Names(const std::vector<SweepCell>& cells) {
  std::vector<std::string> names;
  for (const SweepCell& cell : cells) names.push_back(SweepCellName(cell));
  return names;
}

TEST(SweepCellsTest, AreAllCombinations) {
  EXPECT_THAT(Names(MakeSweepCells({{"a", {"1", "2"}}, {"b", {"x", "y"}}},
                                   /*one_at_a_time=*/false)),
              ElementsAre("a=1,b=x", "a=1,b=y", "a=2,b=x", "a=2,b=y"));
}

TEST(SweepCellsTest, OneAtATimeLeavesTheOthersAtTheirFirst) {
  EXPECT_THAT(
      Names(MakeSweepCells(
          {{"a", {"1", "2"}}, {"b", {"x", "y"}}, {"c", {"7", "8"}}},
          /*one_at_a_time=*/true)),
      ElementsAre("a=1,b=x,c=7", "a=1,b=x,c=8", "a=1,b=y,c=7", "a=2,b=x,c=7"));
}

TEST(SweepCellsTest, EqualCellsRunOnce) {
  EXPECT_THAT(Names(MakeSweepCells({{"a", {"1", "1"}}}, false)),
              ElementsAre("a=1"));
}

TEST(SweepCellsTest, NamesAreFitForADirectory) {
  EXPECT_EQ(SweepCellName({{"embeddings", "x/y.npy"}}), "embeddings=x_y.npy");
}

SweepResult Result(const std::string& layers, double auroc) {
  SweepResult result{{{"layers", layers}}, {}};
  result.measure.plausible_auroc = result.measure.among_kind_auroc = auroc;
  result.measure.seconds = 12;
  return result;
}

TEST(SweepReportTest, NamesTheBestFlagsAndDrawsEachAxis) {
  const std::vector<SweepResult> results = {Result("2", 0.9), Result("1", 0.8)};
  EXPECT_THAT(SweepText(results), HasSubstr("best: --layers 2\n"));
  EXPECT_EQ(SweepToJson(results)["best"]["layers"], "2");
  const std::string html = RenderSweepHtml(results);
  EXPECT_THAT(html, HasSubstr("Sensitivity to layers"));
  EXPECT_THAT(html, HasSubstr("Cost of layers"));
}

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
      FitOptions fit;
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
  // Again: everything is there.
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

}  // namespace
}  // namespace slice
