#include "trainer/upgrade_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "common/files.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A bundle as slice 0.1 wrote it: without tensors/network.bin.
std::string OldBundle(const fs::path& directory,
                      const NetworkOptions& options) {
  const fs::path whole = directory.string() + ".whole";
  EXPECT_TRUE(WriteBundleFor(ToyGraph(), options, whole).ok());
  const BundleManifest manifest = (*ModelBundle::Open(whole))->manifest();
  fs::remove(whole / "tensors/network.bin");
  fs::remove(whole / "MANIFEST.json");
  EXPECT_TRUE(PublishBundle(whole, directory, manifest).ok());
  return (*ModelBundle::Open(directory))->manifest().bundle_id;
}

TEST(UpgradeCommandTest, AddsTheNetworkInPlace) {
  const TempDirectory directory;
  const fs::path path = directory / "bundle";
  const std::string old = OldBundle(path, ToyNetworkOptions("default"));
  const auto id = UpgradeBundle({.bundle = path});
  ASSERT_TRUE(id.ok()) << id.status();
  EXPECT_NE(*id, old);
  const auto bundle = ModelBundle::Open(path);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  EXPECT_EQ((*bundle)->manifest().bundle_id, *id);
  EXPECT_TRUE((*bundle)->network().native.has_value());
  EXPECT_FALSE((*bundle)->golden_links().links.empty());
}

TEST(UpgradeCommandTest, LeavesTheOldBundleWhenAnotherPlaceIsNamed) {
  const TempDirectory directory;
  const fs::path path = directory / "bundle", out = directory / "new";
  const std::string old = OldBundle(path, ToyNetworkOptions("default"));
  ASSERT_TRUE(UpgradeBundle({.bundle = path, .out = out}).ok());
  EXPECT_EQ((*ModelBundle::Open(path))->manifest().bundle_id, old);
  EXPECT_TRUE((*ModelBundle::Open(out))->network().native.has_value());
  // The same bundle gives the same id.
  EXPECT_EQ(*UpgradeBundle({.bundle = path, .out = directory / "again"}),
            (*ModelBundle::Open(out))->manifest().bundle_id);
}

// Rows of the toy graph: its links of one relation, and pairs without a link.
void WriteValid(const fs::path& file) {
  const auto graph = ToySnapshot();
  std::string rows;
  const RelationId depends = ToyRelation(*graph, "depends");
  for (NodeId source = 0; source < graph->node_count(); ++source) {
    for (NodeId target = 0; target < graph->node_count(); ++target) {
      if (source == target) continue;
      rows += "depends\t" + std::string(graph->Key(source)) + "\t" +
              std::string(graph->Key(target)) +
              (graph->HasLink({source, depends, target}) ? "\t1\n" : "\t0\n");
    }
  }
  ASSERT_TRUE(WriteFileAtomically(file, rows).ok());
}

TEST(UpgradeCommandTest, CalibratesAnewOnValid) {
  const TempDirectory directory;
  const fs::path path = directory / "bundle", valid = directory / "valid.txt";
  OldBundle(path, ToyNetworkOptions("default"));
  WriteValid(valid);
  const auto id = UpgradeBundle({.bundle = path,
                                 .valid = valid,
                                 .scorer = Scorer::kStructural,
                                 .threads = 1});
  ASSERT_TRUE(id.ok()) << id.status();
  const auto bundle = ModelBundle::Open(path);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  const BundleManifest& manifest = (*bundle)->manifest();
  EXPECT_EQ(manifest.format_version, kBundleFormatVersion);
  EXPECT_EQ(manifest.reading.scorer, Scorer::kStructural);
  EXPECT_EQ(manifest.scorer_reason, "structural was asked for");
  ASSERT_NE(manifest.reading.relations, nullptr);
  EXPECT_EQ(manifest.reading.relations->schema.size(),
            manifest.relations.size());
  EXPECT_GT(manifest.reading.of(Question::kPlausible).rows, 0u);
}

TEST(UpgradeCommandTest, AScorerNeedsValid) {
  const TempDirectory directory;
  const auto id =
      UpgradeBundle({.bundle = directory / "bundle", .scorer = Scorer::kEnds});
  EXPECT_EQ(id.status().message(),
            "--scorer needs --valid FILE, on which its answers are calibrated");
}

TEST(UpgradeCommandTest, RefusesANetworkThatOnlyTorchScriptRuns) {
  const TempDirectory directory;
  const fs::path path = directory / "bundle";
  NetworkOptions options = ToyNetworkOptions("default");
  options.composition = Composition::kMult;
  const std::string old = OldBundle(path, options);
  const auto id = UpgradeBundle({.bundle = path});
  EXPECT_EQ(id.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(id.status().message()), HasSubstr("torchscript"));
  EXPECT_EQ((*ModelBundle::Open(path))->manifest().bundle_id, old);
  EXPECT_FALSE(fs::exists(path.string() + ".staging"));
}

}  // namespace
}  // namespace slice
