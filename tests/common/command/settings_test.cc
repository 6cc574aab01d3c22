#include "common/command/settings.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "common/command/command_line.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A program with flags of all kinds in two sections.
class SettingsTest : public ::testing::Test {
 protected:
  struct Options {
    std::string listen = "127.0.0.1:1";
    int threads = 4;
    bool plain = false;
    absl::Duration time = absl::Seconds(5);
    std::vector<std::string> roles, names;
  };

  void TearDown() override {
    for (const std::string& name : variables_) unsetenv(name.c_str());
  }

  void SetVariable(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 1);
    variables_.push_back(name);
  }

  // Parses `arguments` and, when `file` is not empty, --config with that text.
  ParsedLine Parse(std::vector<std::string> arguments,
                   const std::string& file = "") {
    options_ = Options();
    CommandLine line({.name = "p",
                      .last_flag_counts = true,
                      .has_config = true,
                      .structured_keys = {{"server", "known"}}});
    CommandFlags& flags = line.flags();
    flags.BeginSection("server");
    flags.Add("--listen", options_.listen, "address");
    flags.Add("--all-threads", options_.threads, "threads").Between(0, 64);
    flags.AddSwitch("--allow-plain", options_.plain, "no TLS");
    flags.BeginSection("limits");
    flags.Add("--max-time", options_.time, "time");
    flags.Add("--roles", options_.roles, "roles").OneValueEach();
    flags.Add("--names", options_.names, "names");
    flags.Check([this]() -> absl::Status {
      if (options_.listen != "bad") return absl::OkStatus();
      return absl::InvalidArgumentError("--listen: 'bad' is no address");
    });
    if (!file.empty()) {
      directory_.Write("c.yaml", file);
      arguments.push_back("--config=" + path());
    }
    return line.Parse(arguments);
  }

  std::string path() const { return (directory_ / "c.yaml").string(); }

  // The error of a file, without its path.
  std::string ErrorOf(const std::string& file) {
    const absl::Status status = Parse({}, file).status;
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << file;
    const std::string message(status.message());
    EXPECT_THAT(message, StartsWith(path() + ":"));
    return message.substr(std::min(message.size(), path().size() + 1));
  }

  const TempDirectory directory_;
  Options options_;
  std::vector<std::string> variables_;
};

TEST_F(SettingsTest, ATabThatIndentsIsCalledByItsName) {
  const std::string words =
      "this line is indented by a tab; YAML takes spaces only";
  for (const auto& [file, place] :
       {std::pair("limits:\n\tmax-time: 3s\n", "2:1: "),
        std::pair("limits:\n  max-time: 3s\n\troles: a\n", "3:1: "),
        std::pair("limits:\n  - a:\n    \tb: 1\n", "3:5: ")}) {
    EXPECT_EQ(ErrorOf(file), place + words);
  }
  // A tab elsewhere is not at fault.
  EXPECT_THAT(ErrorOf("limits: [\t1\n"), Not(HasSubstr("tab")));
}

TEST_F(SettingsTest, TheFileGivesValuesOfAllKinds) {
  const ParsedLine line = Parse({}, R"(
server:
  listen: "[::1]:5"
  all_threads: 7
  allow-plain: yes
limits:
  max-time: 200ms
  roles: [predict, explore]
)");
  ASSERT_TRUE(line.status.ok()) << line.status;
  EXPECT_EQ(options_.listen, "[::1]:5");
  EXPECT_EQ(options_.threads, 7);
  EXPECT_TRUE(options_.plain);
  EXPECT_EQ(options_.time, absl::Milliseconds(200));
  EXPECT_THAT(options_.roles, ElementsAre("predict", "explore"));
}

TEST_F(SettingsTest, TheLineWinsOverTheVariableAndThatOverTheFile) {
  SetVariable("SLICE_ALL_THREADS", "8");
  SetVariable("SLICE_LISTEN", "variable");
  const ParsedLine line = Parse({"--listen", "line"}, R"(
server: {listen: file, all-threads: 7, allow-plain: true}
)");
  ASSERT_TRUE(line.status.ok()) << line.status;
  EXPECT_EQ(options_.listen, "line");
  EXPECT_EQ(options_.threads, 8);
  EXPECT_TRUE(options_.plain);
  std::vector<std::string> origins;
  for (const Setting& setting : line.settings) {
    origins.push_back(setting.name + " from " + setting.origin);
  }
  EXPECT_THAT(origins,
              ElementsAre("listen from command line",
                          "all-threads from SLICE_ALL_THREADS",
                          EndsWith("c.yaml:2:53"), "max-time from default",
                          "roles from default", "names from default"));
}

TEST_F(SettingsTest, NamesThePlaceOfAMistake) {
  EXPECT_THAT(ErrorOf("server:\n  lissen: x\n"),
              StartsWith("2:3: section 'server' has no key 'lissen'; did you "
                         "mean 'listen'?"));
  EXPECT_THAT(ErrorOf("sever:\n  listen: x\n"),
              StartsWith("1:1: there is no section 'sever'; did you mean "
                         "'server'?"));
  EXPECT_THAT(ErrorOf("listen: x\n"),
              StartsWith("1:1: 'listen' belongs into section 'server'"));
  EXPECT_THAT(ErrorOf("limits:\n  listen: x\n"),
              StartsWith("2:3: 'listen' belongs into section 'server'"));
  EXPECT_THAT(ErrorOf("server:\n  all-threads: 65\n"),
              StartsWith("2:16: --all-threads: '65' must be from 0 to 64"));
  EXPECT_THAT(ErrorOf("server:\n  all-threads: many\n"), StartsWith("2:16: "));
  EXPECT_THAT(ErrorOf("limits:\n  max-time: 5 minutes\n"),
              HasSubstr("'5 minutes' is not a duration such as 5s or 200ms"));
  EXPECT_THAT(ErrorOf("server:\n  listen: [a, b]\n"),
              StartsWith("2:11: 'listen' wants one value, not a list"));
  EXPECT_THAT(ErrorOf("server:\n  listen: {a: b}\n"), StartsWith("2:11: "));
  EXPECT_THAT(ErrorOf("server:\n  listen: a\n  listen: b\n"),
              StartsWith("3:3: 'listen' is there twice"));
  EXPECT_THAT(ErrorOf("server: [listen\n"), HasSubstr(":"));
  EXPECT_THAT(ErrorOf("server\n"), StartsWith("1:1: keys with values"));
}

TEST_F(SettingsTest, ACheckNamesTheOriginOfTheValue) {
  EXPECT_THAT(ErrorOf("server: {listen: bad}\n"),
              StartsWith("1:18: --listen: 'bad' is no address"));
  EXPECT_EQ(Parse({"--listen=bad"}).status.message(),
            "--listen: 'bad' is no address");
  SetVariable("SLICE_LISTEN", "bad");
  EXPECT_EQ(Parse({}).status.message(),
            "SLICE_LISTEN: --listen: 'bad' is no address");
}

TEST_F(SettingsTest, AWrongVariableIsNamed) {
  SetVariable("SLICE_ALL_THREADS", "x");
  EXPECT_THAT(std::string(Parse({}).status.message()),
              StartsWith("SLICE_ALL_THREADS: "));
}

TEST_F(SettingsTest, AMissingFileIsNamed) {
  const ParsedLine line = Parse({"--config", path()});
  EXPECT_EQ(line.status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(line.status.message()), HasSubstr(path()));
}

TEST_F(SettingsTest, WhatIsPrintedReadsAsTheSameConfiguration) {
  const std::string file =
      "server:\n  listen: 'a: b #c'\n  known:\n    - name: x\n      roles: "
      "[y]\nlimits:\n  roles: []\n  names: [a, 'b: c']\n";
  const ParsedLine first = Parse({"--print-config", "--all-threads=9"}, file);
  ASSERT_TRUE(first.status.ok()) << first.status;
  EXPECT_THAT(first.text, HasSubstr("  all-threads: 9  # command line\n"));
  const ParsedLine again = Parse({"--print-config"}, first.text);
  ASSERT_TRUE(again.status.ok()) << again.status;
  EXPECT_EQ(options_.listen, "a: b #c");
  EXPECT_EQ(options_.threads, 9);
  EXPECT_THAT(options_.names, ElementsAre("a", "b: c"));
  ASSERT_TRUE(again.config->Find({"server", "known"}).has_value());
  ASSERT_EQ(first.settings.size(), again.settings.size());
  for (size_t i = 0; i < first.settings.size(); ++i) {
    EXPECT_EQ(first.settings[i].yaml, again.settings[i].yaml);
  }
}

TEST_F(SettingsTest, CheckConfigStartsNothing) {
  EXPECT_EQ(Parse({"--check-config"}).text, "the configuration is good\n");
  EXPECT_FALSE(Parse({"--check-config", "--listen=bad"}).status.ok());
}

TEST_F(SettingsTest, HelpHasASectionForEachPartOfTheFile) {
  const std::string help = Parse({"--help"}).text;
  EXPECT_LT(help.find("server:\n  --listen"), help.find("limits:\n"));
}

}  // namespace
}  // namespace slice
