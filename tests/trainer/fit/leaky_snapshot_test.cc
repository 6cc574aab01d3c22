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

TEST(BuildLeakySnapshot, KeepsTheWeightsOfTrainLinks) {
  const TempDirectory directory;
  EdgeListImportOptions files;
  files.train = directory.Write("train.txt", "r a b 5\nr b c 2\n");
  files.columns = *LinkColumns::Parse("relation,source,target,weight");
  files.held_out_columns = *LinkColumns::Parse("relation,source,target,label");
  files.held_out = {directory.Write("valid.txt", "r a c 1\nr c a 0\n")};
  const ImportedGraph imported = *ImportEdgeList(files);
  const auto leaky = *BuildLeakySnapshot(imported);
  EXPECT_EQ(leaky->WeightOf({0, 0, 1}), 5);
  EXPECT_EQ(leaky->WeightOf({0, 0, 2}), 1);
}

}  // namespace
}  // namespace slice
