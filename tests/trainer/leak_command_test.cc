#include "trainer/leak_command.h"

#include <gtest/gtest.h>

#include "tests/trainer/planted_files.h"

namespace slice {
namespace {

LeakOptions OptionsFor(const TempDirectory& directory) {
  LeakOptions options;
  options.files.train = directory.path() / "train.txt";
  options.files.held_out = {directory.path() / "valid.txt",
                            directory.path() / "test.txt"};
  options.node2vec.dim = 16;
  options.node2vec.threads = 1;
  return options;
}

TEST(MeasureLeak, ShowsWhatSeeingTheHeldOutLinksIsWorth) {
  const TempDirectory directory;
  WriteRandomFiles(directory);
  const LeakFigures figures = *MeasureLeak(OptionsFor(directory));
  EXPECT_EQ(figures.leaky.positives, 100u);
  EXPECT_EQ(figures.leaky.negatives, 100u);
  EXPECT_LT(figures.honest.auroc, 0.6);
  EXPECT_GT(figures.leaky.auroc, 0.8);
}

TEST(MeasureLeak, FindsLittleWhereTrainLinksTellTheRest) {
  const TempDirectory directory;
  WritePlantedFiles(directory, 3);
  const LeakFigures figures = *MeasureLeak(OptionsFor(directory));
  EXPECT_GT(figures.honest.auroc, 0.9);
  EXPECT_GT(figures.leaky.auroc, figures.honest.auroc - 0.02);
}

}  // namespace
}  // namespace slice
