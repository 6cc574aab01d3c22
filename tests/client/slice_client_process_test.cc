// Runs the program slice-client: exit statuses, standard streams, environment.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"
#include "tests/testing/fake_link_server.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using testing::HasSubstr;

class SliceClientProcessTest : public testing::Test {
 protected:
  // Runs slice-client with `arguments`, with `input` on standard input, and
  // with no variables but those of `environment`.
  Outcome Run(std::vector<std::string> arguments, const std::string& input = "",
              std::vector<std::string> environment = {"LANG=C.UTF-8"}) const {
    const std::string in = directory_.Write("in", input).string();
    const std::string out = (directory_ / "out").string();
    const std::string err = (directory_ / "err").string();
    arguments.insert(arguments.begin(), SLICE_CLIENT_BINARY);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::vector<char*> envp;
    for (std::string& variable : environment) envp.push_back(variable.data());
    envp.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), kCreate, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), kCreate, 0600);
    pid_t child = 0;
    const int spawned = posix_spawn(&child, SLICE_CLIENT_BINARY, &actions,
                                    nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(spawned, 0);
    int state = 0;
    EXPECT_EQ(waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state));
    return {WEXITSTATUS(state), *ReadFile(out), *ReadFile(err)};
  }

  FakeLinkServer server_;
  const TempDirectory directory_;
};

TEST_F(SliceClientProcessTest, ScoresStandardInput) {
  const Outcome outcome =
      Run({"--server", server_.address(), "predict", "--links", "-"},
          "r a b 1\nr c d 0\n");
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results,
              testing::MatchesRegex("r\ta\tb\t1\t0\\.[0-9]+\n"
                                    "r\tc\td\t0\t0\\.[0-9]+\n"));
  EXPECT_EQ(outcome.messages, "");
}

// "r a b\n", compressed.
TEST_F(SliceClientProcessTest, StandardInputMayBeCompressed) {
  const std::string gzip(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x52\x48\x54\x48\xe2"
      "\x02\x00\xd0\x14\x20\x3a\x06\x00\x00\x00",
      26);
  const Outcome outcome =
      Run({"--server", server_.address(), "predict", "--links", "-"}, gzip);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results, testing::StartsWith("r\ta\tb\t"));
}

TEST_F(SliceClientProcessTest, NamesTheMalformedLineOfStandardInput) {
  const Outcome outcome =
      Run({"--server", server_.address(), "predict", "--links", "-"},
          "r a b\nr a\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.messages, HasSubstr("standard input:2:4: "));
}

TEST_F(SliceClientProcessTest, TakesTheServerFromTheEnvironment) {
  const Outcome outcome =
      Run({"info"}, "", {absl::StrCat("SLICE_SERVER=", server_.address())});
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results, HasSubstr("bundle\ttoy\n"));
}

TEST_F(SliceClientProcessTest, DrawsByTheLocaleWithoutColour) {
  const std::vector<std::string> explain = {
      "--server", server_.address(), "explain", "curl", "tagged", "x"};
  EXPECT_THAT(Run(explain).results, HasSubstr("── tagged ─▶"));
  const std::string ascii = Run(explain, "", {"LANG=C"}).results;
  EXPECT_THAT(ascii, HasSubstr("-- tagged ->"));
  EXPECT_THAT(ascii, testing::Not(HasSubstr("\x1b")));
}

TEST_F(SliceClientProcessTest, EndsWithTheServersCode) {
  EXPECT_EQ(Run({"--server", server_.address(), "predict", "unknown", "r", "b"})
                .status,
            69);
}

TEST_F(SliceClientProcessTest, EndsWithUsageErrors) {
  const Outcome outcome = Run({"predict", "a"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.results, "");
  EXPECT_THAT(outcome.messages, HasSubstr("--help"));
  EXPECT_EQ(Run({"health", "--bogus"}).status, 1);
}

TEST_F(SliceClientProcessTest, PrintsHelpOnStandardOutput) {
  const Outcome outcome = Run({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.results, HasSubstr("explain"));
  EXPECT_EQ(outcome.messages, "");
}

TEST_F(SliceClientProcessTest, FailsWhenNothingListens) {
  std::string address;
  {
    const FakeLinkServer gone;
    address = gone.address();
  }
  const Outcome outcome = Run({"--server", address, "--retries", "0", "info"});
  EXPECT_EQ(outcome.status, 64 + 14);
  EXPECT_THAT(outcome.messages, HasSubstr("UNAVAILABLE"));
  EXPECT_EQ(Run({"--server", address, "health"}).status, 2);
}

TEST_F(SliceClientProcessTest, ReportsHealth) {
  const std::vector<std::string> health = {"health", "--server",
                                           server_.address()};
  EXPECT_EQ(Run(health).status, 0);
  server_.SetServing("", false);
  EXPECT_EQ(Run(health).status, 4);
}

TEST_F(SliceClientProcessTest, NoticesAFullDisk) {
  // /dev/full refuses every byte.
  const std::string command =
      absl::StrCat(SLICE_CLIENT_BINARY, " --server ", server_.address(),
                   " info >/dev/full 2>", (directory_ / "err").string());
  const int state = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(state), 1);
  EXPECT_THAT(*ReadFile(directory_ / "err"),
              HasSubstr("cannot write the results"));
}

}  // namespace
}  // namespace slice
