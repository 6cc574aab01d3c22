// Lines that end before a call: usage errors, help and version.
#include "client/commands/client_program.h"

#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"

namespace slice {
namespace {

using testing::HasSubstr;
using testing::Not;

Outcome RunLine(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "slice-client");
  std::ostringstream results, messages;
  const int status =
      RunClientProgram(static_cast<int>(arguments.size()), arguments.data(),
                       {.results = results, .messages = messages});
  return {status, results.str(), messages.str()};
}

struct BadLine {
  std::vector<const char*> arguments;
  const char* reason;
};

TEST(ClientProgramTest, RefusesWhatMakesNoSenseWithStatusTwo) {
  const std::vector<BadLine> lines = {
      {{}, "a command is required"},
      {{"frob"}, "no command \"frob\""},
      {{"predict"}, "predict needs SOURCE RELATION TARGET"},
      {{"predict", "a", "r"}, "predict needs SOURCE RELATION TARGET"},
      {{"predict", "a", "r", "b", "--links", "f"}, "not both"},
      {{"explain", "a", "r"}, "TARGET"},
      {{"explain", "a", "r", "b", "c"}, "c"},
      {{"explain", "a", "r", "b", "--dot", "--json"}, "contradicts"},
      {{"recommend", "--relation", "r"}, "recommend needs --source NODE"},
      {{"recommend", "--relation", "r", "--source", "a", "--target", "b"},
       "--target"},
      {{"recommend", "--source", "a"}, "--relation is required"},
      {{"recommend", "--relation", "r", "--source", "a", "--k", "1001"},
       "1000"},
      {{"neighbors", "a", "--direction", "up"}, "'up' must be out or in"},
      {{"neighbors", "a", "--limit", "-1"}, "-1"},
      {{"info", "--max-time", "0"}, "max-time"},
      {{"info", "--max-time", "soon"}, "soon"},
      {{"info", "--server", "nowhere"}, "HOST:PORT"},
      {{"info", "--server", "host:99999"}, "HOST:PORT"},
      {{"info", "--plaintext", "--cacert", "x"}, "contradicts"},
      {{"info", "--cert", "x"}, "--key"},
      {{"info", "--key", "x"}, "--cert"},
      {{"info", "-H", "no colon"}, "name: value"},
      {{"info", "-H", "grpc-timeout: 1S"}, "must not start with"},
      {{"info", "--bogus"}, "--bogus"},
      {{"bench", "--rate", "10", "--concurrency", "2"}, "contradicts"},
      {{"bench", "--concurrency", "0"}, "--concurrency"},
      {{"bench", "--class", "batch"}, "--class"},
      {{"bench", "--class", "bulk", "--bulk-share", "0.5"}, "--bulk-share"},
      {{"bench", "--bulk-share", "1.5"}, "--bulk-share"},
      {{"bench", "--bulk-links-per-rpc", "9"}, "--bulk-share"},
      {{"bench", "--streams", "4", "--concurrency", "8,2"},
       "--streams 4 needs a --concurrency of at least 4"},
      {{"queue", "--shed", "101"}, "--shed"},
      {{"bench", "--concurrency", "1,x"}, "x"},
      {{"bench", "--rate", "-3"}, "--rate"},
      {{"bench", "--links-per-rpc", "1025"}, "1025"},
      {{"bench", "--connections", "0"}, "--connections"},
      {{"bench", "--duration", "15"}, "--duration: '15' is not a duration"},
      {{"bench", "--duration", "1ms"}, "from 100ms"},
      {{"bench", "--warmup", "-1s"}, "--warmup: '-1s'"},
      {{"bench", "--explanation", "all"}, "all"},
      {{"bench", "--format", "pdf"}, "pdf"},
      {{"bench", "--format", "html", "--json"}, "contradicts"},
  };
  for (const BadLine& line : lines) {
    const Outcome outcome = RunLine(line.arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.messages;
    EXPECT_THAT(outcome.messages, HasSubstr(line.reason));
    EXPECT_THAT(outcome.messages, testing::StartsWith("error: "));
    EXPECT_EQ(outcome.results, "");
  }
}

// As grpc_health_probe does.
TEST(ClientProgramTest, HealthRefusesWithStatusOne) {
  EXPECT_EQ(RunLine({"health", "--bogus"}).status, 1);
  EXPECT_EQ(RunLine({"health", "--server", "nowhere"}).status, 1);
}

TEST(ClientProgramTest, AUsageErrorNamesTheHelpOfTheCommand) {
  EXPECT_THAT(RunLine({"explain"}).messages,
              HasSubstr("run slice-client explain --help"));
  EXPECT_THAT(RunLine({"frob"}).messages, HasSubstr("run slice-client --help"));
}

TEST(ClientProgramTest, AUsageErrorHasNoControlCharacters) {
  EXPECT_THAT(RunLine({"frob\x1b"}).messages,
              HasSubstr("no command \"frob\uFFFD\""));
}

TEST(ClientProgramTest, HelpAndVersionSucceed) {
  const Outcome help = RunLine({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.messages, "");
  EXPECT_THAT(help.results, HasSubstr("predict"));
  EXPECT_THAT(help.results, HasSubstr("SLICE_SERVER"));
  for (const std::vector<const char*>& line :
       {std::vector<const char*>{"--version"}, {"info", "--version"}}) {
    const Outcome version = RunLine(line);
    EXPECT_EQ(version.status, 0);
    EXPECT_THAT(version.results,
                testing::MatchesRegex("slice-client [0-9.]+\n"));
  }
}

TEST(ClientProgramTest, TheHelpOfACommandHasItsFlagsAlone) {
  const Outcome help = RunLine({"recommend", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.results, HasSubstr("--include-existing"));
  EXPECT_THAT(help.results, Not(HasSubstr("include_existing")));
  EXPECT_THAT(help.results, Not(HasSubstr("--cacert")));
}

TEST(ClientProgramTest, TheHelpOfExplainNamesThePictures) {
  const Outcome outcome = RunLine({"explain", "--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.results, HasSubstr("dot -Tsvg"));
  EXPECT_THAT(outcome.results, HasSubstr("--http-listen"));
  EXPECT_THAT(outcome.results, HasSubstr("/why"));
}

}  // namespace
}  // namespace slice
