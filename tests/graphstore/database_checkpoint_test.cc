#include "graphstore/database_checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "common/files.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

// Between its two renames a restore leaves nothing in the place, and what it
// replaces beside it.
TEST(DatabaseCheckpointTest, ARestoreThatWasInterruptedIsNoLeaveToReplace) {
  const TempDirectory directory;
  std::filesystem::create_directory(directory / "copy");
  directory.Write("copy/f", "of a copy");
  std::filesystem::create_directory(directory / "graph.old");
  directory.Write("graph.old/f", "with later changes");
  const auto restore = [&](bool replace) {
    return RestoreDatabase(directory / "copy", directory / "graph", replace);
  };
  EXPECT_EQ(restore(false).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(*ReadFile(directory / "graph/f"), "with later changes");
  const absl::Status replaced = restore(true);
  ASSERT_TRUE(replaced.ok()) << replaced;
  EXPECT_EQ(*ReadFile(directory / "graph/f"), "of a copy");
  EXPECT_FALSE(std::filesystem::exists(directory / "graph.old"));
  EXPECT_FALSE(std::filesystem::exists(directory / "graph.partial"));
}

}  // namespace
}  // namespace slice
