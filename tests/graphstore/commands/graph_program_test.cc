#include "graphstore/commands/graph_program.h"

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/command/exit_status.h"
#include "common/files.h"
#include "gmock/gmock.h"
#include "graphstore/rocksdb_graph_store.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GraphCommandsTest : public testing::Test {
 protected:
  // Runs a command line; "DIR" stands for the data directory.
  int Run(std::vector<std::string> arguments) {
    out_.str("");
    errors_.str("");
    std::vector<const char*> argv = {"slice-graph"};
    for (std::string& argument : arguments) {
      if (argument == "DIR") argument = data_dir_.string();
      argv.push_back(argument.c_str());
    }
    return RunGraphProgram(static_cast<int>(argv.size()), argv.data(), out_,
                           errors_);
  }

  std::string out() const { return out_.str(); }
  std::string errors() const { return errors_.str(); }
  nlohmann::json Json() const { return nlohmann::json::parse(out_.str()); }

  void LoadToyGraph() {
    const auto store = RocksDbGraphStore::Open({.directory = data_dir_});
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE((*store)->BulkLoad(ToyGraph(), "").ok());
  }

  const TempDirectory directory_;
  const std::filesystem::path data_dir_ = directory_ / "data";
  std::ostringstream out_;
  std::ostringstream errors_;
};

TEST_F(GraphCommandsTest, ImportFillsAStore) {
  const auto train = directory_.Write("train", "r a b\nr a b\nr c c\n");
  const auto valid = directory_.Write("valid", "r b a 1\nr a d 0\n");
  ASSERT_EQ(Run({"import", "--train", train, "--held-out", valid, "--data-dir",
                 "DIR", "--json"}),
            kExitOk)
      << errors();
  EXPECT_EQ(Json()["nodes"], 4);
  EXPECT_EQ(Json()["links"], 2);
  EXPECT_EQ(Json()["duplicates"], 1);
  EXPECT_EQ(Json()["self_loops"], 1);
  EXPECT_EQ(Json()["held_out_links"], 1);
  EXPECT_EQ(Json()["held_out_pairs_linked"], 1);
  EXPECT_EQ(Json()["held_out_only_nodes"], 1);
  const auto store = RocksDbGraphStore::Open({.directory = data_dir_});
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ((*store)->Metadata()->graph_digest, Json()["graph_digest"]);
  EXPECT_EQ((*store)->Metadata()->split_digest, Json()["split_digest"]);
}

TEST_F(GraphCommandsTest, ImportTellsWhatItDid) {
  const auto nodes = directory_.Write("nodes", "a\tx\tA\x01\nb\tx\tB\n");
  const auto train = directory_.Write("train", "r a b\nbroken\n");
  ASSERT_EQ(Run({"import", "--train", train, "--nodes", nodes, "--max-errors",
                 "3", "--data-dir", "DIR"}),
            kExitOk)
      << errors();
  EXPECT_THAT(out(), HasSubstr("2  nodes\n"));
  EXPECT_THAT(out(), HasSubstr("1  links\n"));
  EXPECT_THAT(errors(), HasSubstr("skipped " + train.string() + ":2:7: "));
  EXPECT_THAT(errors(), HasSubstr("1 control characters in names"));
}

TEST_F(GraphCommandsTest, RefusedImportLeavesNothing) {
  const auto train = directory_.Write("train", "r a b\nr a\n");
  EXPECT_EQ(Run({"import", "--train", train, "--data-dir", "DIR"}), kExitUsage);
  EXPECT_EQ(errors(), "slice-graph: " + train.string() +
                          ":2:4: missing field: the line has no target\n");
  EXPECT_THAT(out(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(data_dir_));
}

TEST_F(GraphCommandsTest, ImportKeepsAGraphThatIsThere) {
  LoadToyGraph();
  const auto train = directory_.Write("train", "r a b\n");
  EXPECT_EQ(Run({"import", "--train", train, "--data-dir", "DIR"}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("already"));
  EXPECT_EQ(Run({"verify", "--data-dir", "DIR"}), kExitOk);
}

TEST_F(GraphCommandsTest, StatsDescribeTheGraph) {
  LoadToyGraph();
  ASSERT_EQ(Run({"stats", "--data-dir", "DIR"}), kExitOk) << errors();
  EXPECT_THAT(out(), HasSubstr("13 nodes (2 without a link), 16 links (1 self "
                               "loops)"));
  EXPECT_THAT(out(), HasSubstr("  package     10\n"));
  EXPECT_THAT(out(), HasSubstr("  depends            6        5        2\n"));
  EXPECT_THAT(out(), HasSubstr("\u2588"));
  EXPECT_THAT(out(), HasSubstr("      7  libssl3"));
}

TEST_F(GraphCommandsTest, StatsAsJson) {
  LoadToyGraph();
  ASSERT_EQ(Run({"stats", "--data-dir", "DIR", "--json"}), kExitOk);
  EXPECT_EQ(Json()["graph_digest"], GraphDigest(ToyGraph()));
  EXPECT_EQ(Json()["relations"][0]["relation"], "depends");
  EXPECT_EQ(Json()["relations"][0]["links"], 6);
  EXPECT_EQ(Json()["hubs"][0]["key"], "libssl3");
  EXPECT_EQ(Json()["degrees"][0]["nodes"], 2);
}

TEST_F(GraphCommandsTest, VerifySaysOk) {
  LoadToyGraph();
  ASSERT_EQ(Run({"verify", "--data-dir", "DIR"}), kExitOk) << errors();
  EXPECT_EQ(out(),
            "ok: 13 nodes, 16 links, each stored at both ends, 12 names, "
            "digest " +
                GraphDigest(ToyGraph()) + "\n");
}

TEST_F(GraphCommandsTest, VerifyFindsAChangedFile) {
  LoadToyGraph();
  for (const auto& entry : std::filesystem::directory_iterator(data_dir_)) {
    if (entry.path().extension() != ".sst") continue;
    std::string bytes = *ReadFile(entry.path());
    if (bytes.find("firefox") == std::string::npos) continue;
    bytes[bytes.find("firefox")] = 'F';
    ASSERT_TRUE(WriteFileAtomically(entry.path(), bytes).ok());
  }
  EXPECT_EQ(Run({"verify", "--data-dir", "DIR", "--json"}), kExitFailure);
  EXPECT_FALSE(Json()["ok"]);
  EXPECT_GT(Json()["problem_count"], 0);
}

TEST_F(GraphCommandsTest, NeighborsByKeyAndByName) {
  LoadToyGraph();
  ASSERT_EQ(Run({"neighbors", "--data-dir", "DIR", "TLS library"}), kExitOk);
  EXPECT_THAT(out(), HasSubstr("libssl3  TLS library  (package), 7 links\n"));
  EXPECT_THAT(out(), HasSubstr("  ->  enhances    libcurl4    libcurl4    "
                               "package\n"));
  EXPECT_THAT(out(), HasSubstr("  <-  depends     openssl     OpenSSL     "
                               "package\n"));
}

TEST_F(GraphCommandsTest, NeighborsNarrowed) {
  LoadToyGraph();
  ASSERT_EQ(Run({"neighbors", "--data-dir", "DIR", "libssl3", "--relation",
                 "depends", "--direction", "in", "--limit", "2", "--json"}),
            kExitOk);
  EXPECT_EQ(Json()["node"]["name"], "TLS library");
  EXPECT_EQ(Json()["total"], 4);
  ASSERT_EQ(Json()["neighbors"].size(), 2);
  EXPECT_EQ(Json()["neighbors"][0]["key"], "curl");
  EXPECT_EQ(Json()["neighbors"][0]["direction"], "in");
}

TEST_F(GraphCommandsTest, NeighborsSayHowManyAreLeft) {
  LoadToyGraph();
  ASSERT_EQ(Run({"neighbors", "--data-dir", "DIR", "curl", "--limit", "1"}),
            kExitOk);
  EXPECT_THAT(out(), HasSubstr("... and 3 more; --limit shows more"));
}

TEST_F(GraphCommandsTest, NodeWithoutALinkHasNoTable) {
  LoadToyGraph();
  ASSERT_EQ(Run({"neighbors", "--data-dir", "DIR", "lonely"}), kExitOk);
  EXPECT_EQ(out(), "lonely  (package), 0 links\n");
}

TEST_F(GraphCommandsTest, UnknownNodeAndRelationSuggestNearOnes) {
  LoadToyGraph();
  EXPECT_EQ(Run({"neighbors", "--data-dir", "DIR", "firefix"}), kExitFailure);
  EXPECT_THAT(errors(), HasSubstr("did you mean 'firefox'?"));
  EXPECT_EQ(
      Run({"neighbors", "--data-dir", "DIR", "curl", "--relation", "depend"}),
      kExitFailure);
  EXPECT_THAT(errors(), HasSubstr("did you mean 'depends'?"));
  EXPECT_EQ(Run({"neighbors", "--data-dir", "DIR", "curl", "--relation", "zz"}),
            kExitFailure);
  EXPECT_THAT(errors(), HasSubstr("there is 'depends', 'recommends'"));
}

TEST_F(GraphCommandsTest, ExportWritesFilesOfABundle) {
  LoadToyGraph();
  const std::string sst = directory_ / "sst";
  ASSERT_EQ(
      Run({"export", "--data-dir", "DIR", "--out", sst, "--format", "sst"}),
      kExitOk)
      << errors();
  EXPECT_TRUE(std::filesystem::exists(directory_ / "sst/meta.sst"));
}

TEST_F(GraphCommandsTest, ExportedTextIsTheSameGraphAgain) {
  LoadToyGraph();
  const std::string text = directory_ / "text";
  ASSERT_EQ(
      Run({"export", "--data-dir", "DIR", "--out", text, "--compress", "zst"}),
      kExitOk)
      << errors();
  EXPECT_THAT(out(), HasSubstr("exported 13 nodes and 16 links"));
  EXPECT_THAT(out(), HasSubstr("--train " + text + "/links.tsv.zst"));
  EXPECT_THAT(out(), HasSubstr("--columns relation,source,target --format "
                               "no-header --data-dir"));
  ASSERT_EQ(Run({"import", "--train", text + "/links.tsv.zst", "--nodes",
                 text + "/nodes.tsv.zst", "--data_dir",
                 (directory_ / "again").string(), "--json"}),
            kExitOk)
      << errors();
  EXPECT_EQ(Json()["graph_digest"], GraphDigest(ToyGraph()));
}

TEST_F(GraphCommandsTest, ExportTakesABundle) {
  LoadToyGraph();
  std::filesystem::create_directory(directory_ / "bundle");
  ASSERT_EQ(Run({"export", "--data-dir", "DIR", "--out",
                 (directory_ / "bundle/graph").string(), "--format", "sst"}),
            kExitOk);
  const std::string bundle = directory_ / "bundle";
  const std::string text = directory_ / "text";
  ASSERT_EQ(Run({"export", "--bundle", bundle, "--out", text}), kExitOk)
      << errors();
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(text))
    left.push_back(entry.path().filename());
  EXPECT_THAT(left, testing::UnorderedElementsAre("links.tsv", "nodes.tsv"));
  EXPECT_EQ(Run({"export", "--bundle", text, "--out", directory_ / "other"}),
            kExitFailure);
  EXPECT_THAT(errors(), HasSubstr("is no bundle with a graph"));
  EXPECT_EQ(Run({"export", "--out", text}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("--data-dir or --bundle"));
}

TEST_F(GraphCommandsTest, ColumnsAreNamed) {
  const auto train = directory_.Write("train", "7 a b 0.5 r\n8 a c 1 r\n");
  ASSERT_EQ(
      Run({"import", "--train", train, "--columns",
           "_,source,target,weight,relation", "--data-dir", "DIR", "--json"}),
      kExitOk)
      << errors();
  EXPECT_EQ(Json()["links"], 2);
  EXPECT_EQ(Json()["weighted"], 1);
  ASSERT_EQ(Run({"verify", "--data-dir", "DIR"}), kExitOk) << out();
  EXPECT_EQ(Run({"import", "--train", train, "--columns", "source,target,when",
                 "--data-dir", "NEW"}),
            kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("\"when\" in the columns"));
}

TEST_F(GraphCommandsTest, SaysItsVersion) {
  EXPECT_EQ(Run({"--version"}), kExitOk);
  EXPECT_THAT(out(), testing::StartsWith("slice-graph "));
}

TEST_F(GraphCommandsTest, ServersDataDirectoryLeadsToItsGraph) {
  LoadToyGraph();
  std::filesystem::create_directories(directory_ / "server/graphs");
  std::filesystem::rename(data_dir_, directory_ / "server/graphs/abc");
  const std::string server = directory_ / "server";
  for (const char* aside : {"abc.lock", "abc.old", "abc.damaged-1"}) {
    std::filesystem::create_directory(directory_ / "server/graphs" / aside);
  }
  EXPECT_EQ(Run({"verify", "--data-dir", server}), kExitOk) << errors();
  std::filesystem::create_directory(directory_ / "server/graphs/def");
  EXPECT_EQ(Run({"verify", "--data-dir", server}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("holds 2 graphs; give one of them"));
}

TEST_F(GraphCommandsTest, RestoreTakesADataDirectory) {
  LoadToyGraph();
  const std::string digest = GraphDigest(ToyGraph());
  std::filesystem::create_directories(directory_ / "server/graphs");
  std::filesystem::rename(data_dir_, directory_ / "server/graphs" / digest);
  const std::string server = directory_ / "server";
  const std::string copy = directory_ / "copy";
  const auto restore = [&](std::vector<std::string> more) {
    std::vector<std::string> line = {"restore", "--checkpoint", server,
                                     "--data-dir", copy};
    line.insert(line.end(), more.begin(), more.end());
    return Run(line);
  };
  ASSERT_EQ(restore({}), kExitOk) << errors();
  ASSERT_EQ(Run({"stats", "--data-dir", copy, "--json"}), kExitOk) << errors();
  EXPECT_EQ(Json()["graph_digest"], digest);
  ASSERT_EQ(restore({"--force"}), kExitOk) << errors();
  EXPECT_EQ(Run({"verify", "--data-dir", copy}), kExitOk) << errors();
  // Files that a server writes to are not copied.
  const auto open = RocksDbGraphStore::Open(
      {.directory = directory_ / "server/graphs" / digest});
  ASSERT_TRUE(open.ok()) << open.status();
  EXPECT_EQ(restore({"--force"}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("stop the server first"));
  EXPECT_EQ(Run({"verify", "--data-dir", copy}), kExitOk) << errors();
}

TEST_F(GraphCommandsTest, RestoreTakesNoGraphThatIsOpen) {
  LoadToyGraph();
  const std::string copy = directory_ / "copy";
  const auto open = RocksDbGraphStore::Open({.directory = data_dir_});
  ASSERT_TRUE(open.ok()) << open.status();
  EXPECT_EQ(Run({"restore", "--checkpoint", "DIR", "--data-dir", copy}),
            kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("stop the server first"));
  EXPECT_FALSE(std::filesystem::exists(copy));
}

TEST_F(GraphCommandsTest, RestoreLeavesTheCheckpointAsItIs) {
  LoadToyGraph();
  const auto files = [&] {
    std::map<std::string, std::filesystem::file_time_type> times;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir_))
      times[entry.path().filename()] = entry.last_write_time();
    return times;
  };
  const auto before = files();
  ASSERT_EQ(Run({"restore", "--checkpoint", "DIR", "--data-dir",
                 directory_ / "copy"}),
            kExitOk)
      << errors();
  EXPECT_THAT(out(), HasSubstr("restored version 0"));
  EXPECT_EQ(files(), before);
}

TEST_F(GraphCommandsTest, MissingGraphIsOneLine) {
  EXPECT_EQ(Run({"stats", "--data-dir", "DIR"}), kExitFailure);
  EXPECT_EQ(errors(), "slice-graph: there is no graph in " +
                          data_dir_.string() + "; import one first\n");
}

TEST_F(GraphCommandsTest, WrongUsageIsExitTwo) {
  EXPECT_EQ(Run({}), kExitUsage);
  EXPECT_EQ(Run({"fly"}), kExitUsage);
  EXPECT_EQ(Run({"stats"}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("--data-dir"));
  EXPECT_EQ(Run({"neighbors", "--data-dir", "DIR", "a", "--direction", "up"}),
            kExitUsage);
  EXPECT_EQ(Run({"import", "--train", "x", "--data-dir", "DIR", "--max-errors",
                 "-1"}),
            kExitUsage);
  EXPECT_THAT(out(), IsEmpty());
}

TEST_F(GraphCommandsTest, HelpIsNoError) {
  EXPECT_EQ(Run({"--help"}), kExitOk);
  EXPECT_THAT(out(), HasSubstr("Exit codes"));
  EXPECT_THAT(errors(), IsEmpty());
  EXPECT_EQ(Run({"import", "--help"}), kExitOk);
  EXPECT_THAT(out(), HasSubstr("--strict-pairs"));
}

TEST_F(GraphCommandsTest, GenerateKeepsFilesThatExist) {
  const std::string out_dir = directory_ / "made";
  const auto generate = [&](std::vector<std::string> more) {
    std::vector<std::string> line = {"generate", "--nodes", "50",   "--links",
                                     "200",      "--out",   out_dir};
    line.insert(line.end(), more.begin(), more.end());
    return Run(line);
  };
  ASSERT_EQ(generate({}), kExitOk) << errors();
  const std::string first = *ReadFile(directory_ / "made/train.tsv");
  EXPECT_EQ(generate({"--seed", "2"}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("train.tsv exists"));
  EXPECT_THAT(errors(), HasSubstr("--force"));
  EXPECT_EQ(*ReadFile(directory_ / "made/train.tsv"), first);
  EXPECT_EQ(generate({"--seed", "2", "--force"}), kExitOk) << errors();
  EXPECT_NE(*ReadFile(directory_ / "made/train.tsv"), first);
}

TEST_F(GraphCommandsTest, ExportKeepsFilesThatExist) {
  LoadToyGraph();
  const std::string out_dir = directory_ / "exported";
  std::filesystem::create_directories(directory_ / "exported");
  directory_.Write("exported/nodes.tsv", "mine");
  EXPECT_EQ(Run({"export", "--data-dir", "DIR", "--out", out_dir}), kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("nodes.tsv exists"));
  EXPECT_EQ(*ReadFile(directory_ / "exported/nodes.tsv"), "mine");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "exported/links.tsv"));
  EXPECT_EQ(Run({"export", "--data-dir", "DIR", "--out", out_dir, "--force"}),
            kExitOk)
      << errors();
  EXPECT_NE(*ReadFile(directory_ / "exported/nodes.tsv"), "mine");
}

}  // namespace
}  // namespace slice
