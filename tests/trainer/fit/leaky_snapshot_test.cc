#include "trainer/fit/leaky_snapshot.h"

#include <gtest/gtest.h>

#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

TEST(BuildLeakySnapshot, AddsThePositivesAlone) {
  const TempDirectory directory;
  EdgeListImportOptions files;
  files.train = directory.Write("train.txt", "r a b\nr b c\n");
  files.held_out = {directory.Write("valid.txt", "r a c 1\nr c a 0\n"),
                    directory.Write("test.txt", "r c b 1\nr b a 0\n")};
  const ImportedGraph imported = *ImportEdgeList(files);
  const auto leaky = *BuildLeakySnapshot(imported);
  EXPECT_EQ(leaky->link_count(), 4u);
  for (const auto& split : imported.held_out) {
    for (const LabelledLink& example : split) {
      EXPECT_EQ(leaky->HasLink(example.link), example.positive);
    }
  }
}

}  // namespace
}  // namespace slice
