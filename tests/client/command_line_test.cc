#include "client/command_line.h"

#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using testing::HasSubstr;

std::variant<CommandLine, EarlyExit> Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "slice-client");
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

CommandLine Parsed(std::vector<const char*> arguments) {
  const auto parsed = Parse(std::move(arguments));
  if (const auto* exit = std::get_if<EarlyExit>(&parsed)) {
    ADD_FAILURE() << exit->text;
    return {};
  }
  return std::get<CommandLine>(parsed);
}

EarlyExit Refused(std::vector<const char*> arguments) {
  const auto parsed = Parse(std::move(arguments));
  const auto* exit = std::get_if<EarlyExit>(&parsed);
  EXPECT_NE(exit, nullptr);
  return exit == nullptr ? EarlyExit{} : *exit;
}

TEST(CommandLineTest, ReadsAPrediction) {
  const CommandLine line =
      Parsed({"predict", "curl", "tagged", "role::program"});
  EXPECT_EQ(line.client.scorer, "");
  EXPECT_EQ(line.command, ClientCommand::kPredict);
  EXPECT_EQ(line.link.source.text, "curl");
  EXPECT_FALSE(line.link.source.exact_key);
  EXPECT_EQ(line.link.relation, "tagged");
  EXPECT_EQ(line.link.target.text, "role::program");
  EXPECT_EQ(line.client.connection.server, "127.0.0.1:50051");
  EXPECT_FALSE(line.client.connection.tls);
}

TEST(CommandLineTest, PredictAndExplainTakeAScorer) {
  for (const char* command : {"predict", "explain"}) {
    EXPECT_EQ(
        Parsed({command, "a", "r", "b", "--scorer", "ends"}).client.scorer,
        "ends");
  }
}

TEST(CommandLineTest, TakesGlobalFlagsOnBothSides) {
  const CommandLine line =
      Parsed({"--json", "explain", "a", "r", "b", "--server", "h:1", "--keys",
              "--max-time", "2.5", "--model", "m", "-H", "A: b", "-H", "c: d",
              "--ascii"});
  EXPECT_EQ(line.command, ClientCommand::kExplain);
  EXPECT_TRUE(line.json);
  EXPECT_TRUE(line.ascii);
  EXPECT_TRUE(line.link.source.exact_key);
  EXPECT_TRUE(line.link.target.exact_key);
  EXPECT_EQ(line.client.connection.server, "h:1");
  EXPECT_EQ(line.client.max_time, absl::Milliseconds(2500));
  EXPECT_EQ(line.client.model, "m");
  ASSERT_EQ(line.client.connection.metadata.size(), 2);
  EXPECT_EQ(line.client.connection.metadata[0].first, "a");
  EXPECT_EQ(line.client.connection.metadata[1].second, "d");
}

TEST(CommandLineTest, ReadsNeighbors) {
  const CommandLine line = Parsed({"neighbors", "curl", "--relation", "depends",
                                   "--direction", "in", "--limit", "5"});
  EXPECT_EQ(line.command, ClientCommand::kNeighbors);
  EXPECT_EQ(line.neighbors.node.text, "curl");
  EXPECT_EQ(line.neighbors.relation, "depends");
  EXPECT_EQ(line.neighbors.direction, ArcDirection::kIn);
  EXPECT_EQ(line.neighbors.limit, 5);
}

TEST(CommandLineTest, ReadsALoad) {
  const CommandLine line = Parsed(
      {"bench", "--rate", "100,250.5", "--links-per-rpc", "64", "--duration",
       "1m30s", "--warmup", "500ms", "--connections", "4", "--keys", "--links",
       "f.tsv", "--scorer", "ends", "--json", "--max-time", "2"});
  EXPECT_EQ(line.command, ClientCommand::kBench);
  EXPECT_THAT(line.bench.rates, testing::ElementsAre(100, 250.5));
  EXPECT_THAT(line.bench.concurrency, testing::IsEmpty());
  EXPECT_EQ(line.bench.links_per_rpc, 64);
  EXPECT_EQ(line.bench.duration, absl::Seconds(90));
  EXPECT_EQ(line.bench.warmup, absl::Milliseconds(500));
  EXPECT_EQ(line.bench.connections, 4);
  EXPECT_EQ(line.bench.links_path, "f.tsv");
  EXPECT_TRUE(line.bench.exact_keys);
  EXPECT_EQ(line.bench.format, BenchFormat::kJson);
  EXPECT_EQ(line.client.scorer, "ends");
  EXPECT_EQ(line.client.max_time, absl::Seconds(2));
}

TEST(CommandLineTest, ALoadHasDefaults) {
  const CommandLine line = Parsed({"bench"});
  EXPECT_THAT(line.bench.concurrency, testing::ElementsAre(1));
  EXPECT_EQ(line.bench.links_per_rpc, 1);
  EXPECT_EQ(line.bench.streams, 0);
  EXPECT_EQ(line.bench.load_class, LoadClass::kDefault);
  EXPECT_FALSE(line.bench.mixed());
  EXPECT_EQ(line.bench.duration, absl::Seconds(15));
  EXPECT_EQ(line.bench.format, BenchFormat::kTable);
  EXPECT_FALSE(line.bench.until_unavailable);
  EXPECT_THAT(Parsed({"bench", "--concurrency", "1,8", "--concurrency", "64"})
                  .bench.concurrency,
              testing::ElementsAre(1, 8, 64));
}

TEST(CommandLineTest, ReadsTheMixOfALoad) {
  const CommandLine mixed = Parsed({"bench", "--bulk-share", "0.1",
                                    "--links-per-rpc", "2", "--streams", "3"});
  EXPECT_TRUE(mixed.bench.mixed());
  EXPECT_EQ(mixed.bench.bulk_share, 0.1);
  EXPECT_EQ(mixed.bench.bulk_links_per_rpc, 2);
  EXPECT_EQ(mixed.bench.streams, 3);
  EXPECT_THAT(mixed.bench.concurrency, testing::ElementsAre(3));
  EXPECT_EQ(
      Parsed({"bench", "--bulk-share", "0.1", "--bulk-links-per-rpc", "1000"})
          .bench.bulk_links_per_rpc,
      1000);
  EXPECT_EQ(Parsed({"bench", "--class", "bulk"}).bench.load_class,
            LoadClass::kBulk);
  EXPECT_EQ(Parsed({"queue", "--shed", "3"}).shed_limit, 3);
}

TEST(CommandLineTest, ReadsRecommend) {
  const CommandLine line =
      Parsed({"recommend", "--source", "curl", "--relation", "tagged", "--k",
              "3", "--type", "tag", "--include_existing", "--keys"});
  EXPECT_EQ(line.command, ClientCommand::kRecommend);
  EXPECT_EQ(line.recommend.known.text, "curl");
  EXPECT_TRUE(line.recommend.known.exact_key);
  EXPECT_TRUE(line.recommend.known_is_source);
  EXPECT_EQ(line.recommend.relation, "tagged");
  EXPECT_EQ(line.recommend.k, 3);
  EXPECT_EQ(line.recommend.type, "tag");
  EXPECT_TRUE(line.recommend.include_existing);
  const CommandLine sources =
      Parsed({"recommend", "--target", "t", "--relation", "r"});
  EXPECT_FALSE(sources.recommend.known_is_source);
  EXPECT_EQ(sources.recommend.known.text, "t");
  EXPECT_EQ(sources.recommend.k, 10);
}

TEST(CommandLineTest, TakesTheNameOfACommandAsANode) {
  EXPECT_EQ(Parsed({"find", "info"}).find.prefix, "info");
  const CommandLine line = Parsed({"predict", "find", "explain", "health"});
  EXPECT_EQ(line.command, ClientCommand::kPredict);
  EXPECT_EQ(line.link.relation, "explain");
}

TEST(CommandLineTest, TakesNodesThatLookLikeFlagsBehindTwoDashes) {
  EXPECT_EQ(Parsed({"find", "--", "-x"}).find.prefix, "-x");
}

TEST(CommandLineTest, ReadsTheServerFromTheEnvironment) {
  setenv("SLICE_SERVER", "graph:7000", 1);
  EXPECT_EQ(Parsed({"info"}).client.connection.server, "graph:7000");
  EXPECT_EQ(Parsed({"info", "--server", "h:1"}).client.connection.server,
            "h:1");
  unsetenv("SLICE_SERVER");
}

TEST(CommandLineTest, ACertificateTurnsEncryptionOn) {
  const CommandLine line = Parsed({"info", "--cacert", "ca.pem"});
  EXPECT_TRUE(line.client.connection.tls);
  EXPECT_EQ(line.client.connection.ca_file, "ca.pem");
  EXPECT_TRUE(Parsed({"info", "--tls"}).client.connection.tls);
}

TEST(CommandLineTest, ReadsRetries) {
  const CommandLine line = Parsed({"info", "--retries", "0"});
  EXPECT_EQ(line.client.retry.max_attempts, 1);
  EXPECT_EQ(line.client.retry.max_attempts_when_told, 1);
}

struct BadLine {
  std::vector<const char*> arguments;
  const char* reason;
};

TEST(CommandLineTest, RefusesWhatMakesNoSenseWithStatusTwo) {
  const std::vector<BadLine> lines = {
      {{}, "subcommand"},
      {{"frob"}, "no command \"frob\""},
      {{"predict"}, "predict needs SOURCE RELATION TARGET"},
      {{"predict", "a", "r"}, "predict needs SOURCE RELATION TARGET"},
      {{"predict", "a", "r", "b", "--links", "f"}, "not both"},
      {{"explain", "a", "r"}, "TARGET"},
      {{"explain", "a", "r", "b", "c"}, "c"},
      {{"explain", "a", "r", "b", "--dot", "--json"}, "contradicts"},
      {{"neighbors", "a", "--direction", "up"}, "up"},
      {{"neighbors", "a", "--limit", "-1"}, "-1"},
      {{"info", "--max-time", "0"}, "max-time"},
      {{"info", "--max-time", "soon"}, "soon"},
      {{"info", "--server", "nowhere"}, "HOST:PORT"},
      {{"info", "--server", "host:99999"}, "HOST:PORT"},
      {{"info", "--plaintext", "--cacert", "x"}, "contradicts"},
      {{"info", "--cert", "x"}, "--key"},
      {{"info", "--key", "x"}, "--cert"},
      {{"info", "-H", "no colon"}, "name: value"},
      {{"info", "-H", "grpc-timeout: 1S"}, "reserved"},
      {{"info", "--bogus"}, "--bogus"},
      {{"bench", "--rate", "10", "--concurrency", "2"}, "contradicts"},
      {{"bench", "--concurrency", "0"}, "--concurrency"},
      {{"bench", "--class", "batch"}, "--class"},
      {{"bench", "--class", "bulk", "--bulk-share", "0.5"}, "--bulk-share"},
      {{"bench", "--bulk-share", "1.5"}, "--bulk-share"},
      {{"bench", "--bulk-links-per-rpc", "9"}, "--bulk-share"},
      {{"bench", "--streams", "4", "--concurrency", "8,2"},
       "--streams 4 with --concurrency 2"},
      {{"queue", "--shed", "101"}, "--shed"},
      {{"bench", "--concurrency", "1,x"}, "x"},
      {{"bench", "--rate", "-3"}, "--rate"},
      {{"bench", "--links-per-rpc", "1025"}, "1025"},
      {{"bench", "--connections", "0"}, "--connections"},
      {{"bench", "--duration", "15"}, "--duration is \"15\""},
      {{"bench", "--duration", "1ms"}, "from 100ms"},
      {{"bench", "--warmup", "-1s"}, "--warmup is \"-1s\""},
      {{"bench", "--explanation", "all"}, "all"},
      {{"bench", "--format", "pdf"}, "pdf"},
      {{"bench", "--format", "html", "--json"}, "contradicts"},
  };
  for (const BadLine& line : lines) {
    const EarlyExit exit = Refused(line.arguments);
    EXPECT_EQ(exit.status, 2) << exit.text;
    EXPECT_THAT(exit.text, HasSubstr(line.reason));
    EXPECT_THAT(exit.text, testing::StartsWith("error: "));
  }
}

TEST(CommandLineTest, HealthRefusesWithStatusOne) {
  EXPECT_EQ(Refused({"health", "--bogus"}).status, 1);
  EXPECT_EQ(Refused({"health", "--server", "nowhere"}).status, 1);
}

TEST(CommandLineTest, HelpAndVersionSucceed) {
  const EarlyExit help = Refused({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.text, HasSubstr("predict"));
  EXPECT_THAT(help.text, HasSubstr("SLICE_SERVER"));
  const EarlyExit version = Refused({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.text, testing::MatchesRegex("slice-client [0-9.]+\n"));
}

}  // namespace
}  // namespace slice
