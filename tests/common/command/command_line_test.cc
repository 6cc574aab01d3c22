#include "common/command/command_line.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/command/printable_stream.h"
#include "common/command/run_program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

enum class Color { kRed, kGreen };

absl::StatusOr<Color> ParseColor(std::string_view name) {
  if (name == "red") return Color::kRed;
  if (name == "green") return Color::kGreen;
  return absl::InvalidArgumentError("no such color");
}

// One value of each kind, filled from a command line.
struct Options {
  std::string data_dir;
  int threads = 4;
  double share = 0.5;
  absl::Duration time = absl::Seconds(5);
  bool json = false;
  bool baselines = true;
  Color color = Color::kGreen;
  std::vector<std::string> headers;
  std::vector<int> counts;
  std::optional<int> dim;
  uint64_t version = 0;
};

class FlagsTest : public testing::Test {
 protected:
  FlagsTest() {
    CommandFlags& flags = line_.flags();
    flags.Add("--data-dir", options_.data_dir, "directory of the graph")
        .Type("DIR");
    flags.Add("--threads", options_.threads, "threads that train")
        .Between(0, 1024);
    flags.Add("--share", options_.share, "a share").Between(0, 1);
    flags.Add("--max-time", options_.time, "time of a call")
        .Between(absl::Seconds(1), absl::Hours(1));
    flags.AddSwitch("--as-json", options_.json, "print JSON");
    flags.AddOffSwitch("--no-base-lines", options_.baselines, "slice only");
    flags.AddParsed("--line-color", ParseColor, options_.color,
                    {"red", "green"}, "the color");
    flags.Add("-H,--header-line", options_.headers, "metadata").OneValueEach();
    flags.Add("--counts", options_.counts, "a list").SplitAt(',');
    flags.Add("--dim,--long-dim", options_.dim, "a size");
    flags.Add("--version-of", options_.version, "a version");
  }

  ParsedLine Parse(std::vector<std::string> arguments) {
    return line_.Parse(std::move(arguments));
  }

  std::string Refusal(std::vector<std::string> arguments) {
    const absl::Status status = Parse(std::move(arguments)).status;
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  Options options_;
  CommandLine line_{Program{"slice-test", "Tests.", ""}};
};

TEST_F(FlagsTest, AnEmptyValueDoesNotSwallowTheNextArgument) {
  options_.data_dir = "before";
  const ParsedLine line = Parse({"--data-dir=", "--threads", "8"});
  ASSERT_TRUE(line.status.ok()) << line.status;
  EXPECT_EQ(options_.data_dir, "");
  EXPECT_EQ(options_.threads, 8);
}

TEST_F(FlagsTest, ASwitchTakesNoEmptyValue) {
  EXPECT_EQ(Refusal({"--as-json=", "--threads", "8"}),
            "--as-json takes no value; leave out the =");
}

TEST_F(FlagsTest, ReadsEveryKind) {
  const ParsedLine line = Parse({"--data-dir",
                                 "d",
                                 "--threads=2",
                                 "--share",
                                 "0.25",
                                 "--max-time",
                                 "1m",
                                 "--as-json",
                                 "--no-base-lines",
                                 "--line-color",
                                 "red",
                                 "-H",
                                 "a",
                                 "--header-line",
                                 "b",
                                 "--counts",
                                 "1,2",
                                 "--counts",
                                 "3",
                                 "--dim",
                                 "7"});
  EXPECT_TRUE(line.status.ok()) << line.status;
  EXPECT_EQ(line.text, "");
  EXPECT_EQ(options_.data_dir, "d");
  EXPECT_EQ(options_.threads, 2);
  EXPECT_EQ(options_.share, 0.25);
  EXPECT_EQ(options_.time, absl::Minutes(1));
  EXPECT_TRUE(options_.json);
  EXPECT_FALSE(options_.baselines);
  EXPECT_EQ(options_.color, Color::kRed);
  EXPECT_THAT(options_.headers, ElementsAre("a", "b"));
  EXPECT_THAT(options_.counts, ElementsAre(1, 2, 3));
  EXPECT_EQ(options_.dim, 7);
}

TEST_F(FlagsTest, NamesAValueThatIsNoNumber) {
  EXPECT_EQ(Refusal({"--share", "0.5s"}), "--share: '0.5s' is not a number");
  EXPECT_EQ(Refusal({"--threads", "2.5"}),
            "--threads: '2.5' is not a whole number");
  EXPECT_EQ(Refusal({"--counts", "1,two"}),
            "--counts: 'two' is not a whole number");
  EXPECT_EQ(Refusal({"--dim", "99999999999"}),
            "--dim: '99999999999' is out of range");
  EXPECT_EQ(Refusal({"--version-of", "-1"}),
            "--version-of: '-1' is out of range");
  EXPECT_EQ(Refusal({"--version-of", "18446744073709551616"}),
            "--version-of: '18446744073709551616' is out of range");
  EXPECT_TRUE(Parse({"--version-of", "18446744073709551615"}).status.ok());
}

TEST_F(FlagsTest, TakesUnderscoresForHyphens) {
  const ParsedLine line =
      Parse({"--data_dir=d_1", "--max_time", "1m", "--as_json",
             "--no_base_lines", "--line_color", "red", "--header_line",
             "--data_dir", "--long_dim", "7"});
  EXPECT_TRUE(line.status.ok()) << line.status;
  EXPECT_EQ(options_.data_dir, "d_1");
  EXPECT_EQ(options_.time, absl::Minutes(1));
  EXPECT_TRUE(options_.json);
  EXPECT_FALSE(options_.baselines);
  EXPECT_EQ(options_.color, Color::kRed);
  EXPECT_THAT(options_.headers, ElementsAre("--data_dir"));
  EXPECT_EQ(options_.dim, 7);
}

TEST_F(FlagsTest, KeepsDefaultsOfFlagsThatTheLineLacks) {
  EXPECT_TRUE(Parse({}).status.ok());
  EXPECT_EQ(options_.threads, 4);
  EXPECT_EQ(options_.time, absl::Seconds(5));
  EXPECT_TRUE(options_.baselines);
  EXPECT_EQ(options_.color, Color::kGreen);
  EXPECT_EQ(options_.dim, std::nullopt);
}

TEST_F(FlagsTest, ErrorsNameTheFlagWithHyphens) {
  EXPECT_THAT(Refusal({"--data_dir"}), HasSubstr("--data-dir"));
}

TEST_F(FlagsTest, ErrorsNameTheValueAndItsLimits) {
  EXPECT_EQ(Refusal({"--threads", "2000"}),
            "--threads: '2000' must be from 0 to 1024");
}

TEST_F(FlagsTest, RefusesAShareAboveOne) {
  EXPECT_THAT(Refusal({"--share", "1.5"}), HasSubstr("0 to 1"));
}

// Rounded, the limit would be the value that it refuses.
TEST_F(FlagsTest, ALimitKeepsItsDigits) {
  double prior = 0.5;
  line_.flags().Add("--prior", prior, "prior").Between(1e-9, 1 - 1e-9);
  EXPECT_EQ(Refusal({"--prior", "1"}),
            "--prior: '1' must be from 1e-09 to 0.999999999");
}

TEST_F(FlagsTest, ALimitMayBeInfinite) {
  line_.flags()
      .Add("--rounds", options_.threads, "rounds")
      .Between(1, std::numeric_limits<double>::infinity());
  EXPECT_EQ(Refusal({"--rounds", "0"}), "--rounds: '0' must be at least 1");
}

TEST_F(FlagsTest, RefusesATimeWithoutUnit) {
  EXPECT_EQ(Refusal({"--max-time", "5"}),
            "--max-time: '5' is not a duration such as 5s or 200ms");
}

TEST_F(FlagsTest, RefusesATimeThatIsTooLong) {
  EXPECT_EQ(Refusal({"--max-time", "2h"}),
            "--max-time: '2h' must be from 1s to 1h");
}

TEST_F(FlagsTest, RefusesWhatAParserRefuses) {
  EXPECT_THAT(Refusal({"--line-color", "blue"}), HasSubstr("no such color"));
}

TEST_F(FlagsTest, RefusesAFlagThatIsNotThere) {
  EXPECT_THAT(Refusal({"--data_file", "x"}), HasSubstr("--data_file"));
}

TEST_F(FlagsTest, RefusesAFlagGivenTwice) {
  EXPECT_THAT(Refusal({"--threads", "1", "--threads", "2"}),
              HasSubstr("--threads"));
}

TEST(LastFlagTest, TheLastFlagCountsWhereTheProgramSaysSo) {
  int threads = 0;
  CommandLine line({.name = "slice-test", .last_flag_counts = true});
  line.flags().Add("--threads", threads, "threads");
  EXPECT_TRUE(line.Parse({"--threads", "1", "--threads", "2"}).status.ok());
  EXPECT_EQ(threads, 2);
}

TEST_F(FlagsTest, HelpShowsHyphensAndLimits) {
  const std::string help = Parse({"--help"}).text;
  EXPECT_THAT(help, testing::StartsWith("Tests.\nUsage: slice-test"));
  EXPECT_THAT(help, HasSubstr("--data-dir DIR"));
  EXPECT_THAT(help, Not(HasSubstr("_dir")));
  EXPECT_THAT(help, Not(HasSubstr("no_base")));
  EXPECT_THAT(help, HasSubstr("  --threads INT             threads that train "
                              "[from 0 to 1024; default 4]\n"));
  EXPECT_THAT(help, HasSubstr("the color: red or green [default green]"));
  EXPECT_THAT(help, HasSubstr("-H, --header-line TEXT"));
}

TEST_F(FlagsTest, HelpIsNoWiderThanATerminal) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  bool value = false;
  line_.flags().AddSwitch("--a-flag-with-a-name-longer-than-the-column", value,
                          words);
  std::istringstream help(Parse({"--help"}).text);
  for (std::string text; std::getline(help, text);)
    EXPECT_LE(text.size(), 80) << text;
}

TEST(FlagTest, AFlagOfTheEnvironmentIsRead) {
  std::string server = "here";
  CommandLine line({.name = "slice-test"});
  line.flags().Add("--server", server, "").Environment("SLICE_TEST_SERVER");
  setenv("SLICE_TEST_SERVER", "there", 1);
  EXPECT_TRUE(line.Parse(std::vector<std::string>()).status.ok());
  unsetenv("SLICE_TEST_SERVER");
  EXPECT_EQ(server, "there");
}

TEST(FlagTest, AFlagReadFirstComesBeforeTheOthers) {
  int layers = 1;
  CommandLine line({.name = "slice-test"});
  line.flags().Add("--layers", layers, "layers");
  line.flags()
      .AddRead(
          "--preset",
          [&layers](const std::string&) {
            layers = 4;
            return absl::OkStatus();
          },
          "sets the layers")
      .ReadFirst();
  EXPECT_TRUE(line.Parse({"--layers", "2", "--preset", "paper"}).status.ok());
  EXPECT_EQ(layers, 2);
}

// A program of two commands.
class RunProgramTest : public testing::Test {
 protected:
  static StatusRun DefineGreet(CommandFlags& flags) {
    const auto name = std::make_shared<std::string>();
    flags.Add("--first-name", *name, "whom to greet").Required();
    flags.Check([name] {
      return *name == "nobody" ? absl::InvalidArgumentError("not nobody")
                               : absl::OkStatus();
    });
    return [name](const CommandStreams& streams) {
      streams.out << "hello " << *name << "\n";
      return absl::OkStatus();
    };
  }

  static StatusRun DefineFail(CommandFlags& flags) {
    const auto rest = std::make_shared<std::vector<std::string>>();
    flags.KeepUnknown(*rest);
    flags.Footer("It fails.");
    return [rest](const CommandStreams&) {
      const std::string how = rest->empty() ? "" : rest->front();
      if (how == "throw") {
        (void)std::filesystem::file_size("/nowhere");
      }
      if (how == "own_status") {
        return WithExitStatus(absl::FailedPreconditionError("too few"), 3);
      }
      if (how == "--bad_input") return absl::InvalidArgumentError("bad\x1b");
      return absl::InternalError("worse");
    };
  }

  int Run(std::vector<const char*> arguments) {
    out_.str("");
    errors_.str("");
    return Run(std::move(arguments), out_);
  }

  int Run(std::vector<const char*> arguments, std::ostream& out) {
    static constexpr StatusCommand kCommands[] = {
        {"greet", "Say hello", DefineGreet},
        {"fail", "Say no", DefineFail},
    };
    arguments.insert(arguments.begin(), "slice-test");
    return RunProgram({"slice-test", "Tests.", "Exit codes: many."}, kCommands,
                      static_cast<int>(arguments.size()), arguments.data(), out,
                      errors_);
  }

  std::ostringstream out_, errors_;
};

TEST_F(RunProgramTest, RunsTheCommandNamed) {
  EXPECT_EQ(Run({"greet", "--first_name", "Ada"}), kExitOk);
  EXPECT_EQ(out_.str(), "hello Ada\n");
  EXPECT_EQ(errors_.str(), "");
}

TEST_F(RunProgramTest, NamesAMissingFlagAndTheHelpOfTheCommand) {
  EXPECT_EQ(Run({"greet"}), kExitUsage);
  EXPECT_EQ(errors_.str(),
            "slice-test: --first-name is required\n"
            "Run slice-test greet --help for more information.\n");
}

TEST_F(RunProgramTest, AFailedCheckIsAUsageError) {
  EXPECT_EQ(Run({"greet", "--first-name", "nobody"}), kExitUsage);
  EXPECT_THAT(errors_.str(), HasSubstr("slice-test: not nobody\n"));
}

TEST_F(RunProgramTest, AnUnknownCommandIsNamed) {
  EXPECT_EQ(Run({"wave", "--first-name", "Ada"}), kExitUsage);
  EXPECT_EQ(errors_.str(),
            "slice-test: there is no command \"wave\"; the commands are "
            "greet, fail\nRun slice-test --help for more information.\n");
}

TEST_F(RunProgramTest, NearMissesAreSuggested) {
  EXPECT_EQ(Run({"grete", "--first-name", "Ada"}), kExitUsage);
  EXPECT_EQ(errors_.str(),
            "slice-test: there is no command \"grete\"; did you mean "
            "'greet'?\nRun slice-test --help for more information.\n");
  // Also where the flag that is misspelt is a required one.
  for (const char* flag : {"--frist-name", "--frist_name", "--first-nam=Ada"}) {
    EXPECT_EQ(Run({"greet", flag, "Ada"}), kExitUsage);
    EXPECT_THAT(errors_.str(), HasSubstr("slice-test: greet has no flag --"));
    EXPECT_THAT(errors_.str(), HasSubstr("; did you mean '--first-name'?\n"));
  }
  EXPECT_EQ(Run({"greet", "--first-name", "Ada", "--zzz"}), kExitUsage);
  EXPECT_THAT(errors_.str(), HasSubstr("greet has no flag --zzz\n"));
}

TEST_F(RunProgramTest, HelpIsACommandToo) {
  EXPECT_EQ(Run({"help"}), kExitOk);
  const std::string whole = out_.str();
  EXPECT_EQ(Run({"--help"}), kExitOk);
  EXPECT_EQ(out_.str(), whole);
  EXPECT_EQ(Run({"help", "greet"}), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("Usage: slice-test greet [OPTIONS]"));
  EXPECT_EQ(Run({"help", "gret"}), kExitUsage);
  EXPECT_THAT(errors_.str(), HasSubstr("did you mean 'greet'?"));
}

TEST_F(RunProgramTest, AnExceptionIsAFailure) {
  EXPECT_EQ(Run({"fail", "throw"}), kExitFailure);
  EXPECT_THAT(errors_.str(), HasSubstr("slice-test: "));
  EXPECT_THAT(errors_.str(), HasSubstr("/nowhere"));
}

TEST_F(RunProgramTest, AnErrorMayHaveAnExitStatusOfItsOwn) {
  EXPECT_EQ(Run({"fail", "own_status"}), 3);
  EXPECT_THAT(errors_.str(), HasSubstr("slice-test: too few"));
}

TEST_F(RunProgramTest, NoCommandIsAnError) {
  EXPECT_EQ(Run({}), kExitUsage);
  EXPECT_THAT(errors_.str(), HasSubstr("a command is required: greet or fail"));
}

TEST_F(RunProgramTest, AnUnknownFlagOfTheProgramIsNamed) {
  EXPECT_EQ(Run({"--bogus", "greet", "--first-name", "Ada"}), kExitUsage);
  EXPECT_THAT(errors_.str(), HasSubstr("--bogus"));
}

TEST_F(RunProgramTest, RefusedInputIsAUsageErrorWithoutControlCharacters) {
  EXPECT_EQ(Run({"fail", "--bad_input"}), kExitUsage);
  EXPECT_EQ(errors_.str(), "slice-test: bad\uFFFD\n");
}

TEST_F(RunProgramTest, OtherErrorsAreFailures) {
  EXPECT_EQ(Run({"fail"}), kExitFailure);
  EXPECT_EQ(errors_.str(), "slice-test: worse\n");
}

TEST_F(RunProgramTest, OutputThatCannotBeWrittenIsAFailure) {
  for (const char* command : {"greet", "--help"}) {
    errors_.str("");
    std::ofstream full("/dev/full");  // refuses every byte
    ASSERT_TRUE(full.is_open());
    PrintableStream printable(full);
    EXPECT_EQ(Run({command, "--first-name", "Ada"}, printable), kExitFailure);
    EXPECT_EQ(errors_.str(),
              "slice-test: cannot write the output; is the disk full?\n");
  }
}

TEST_F(RunProgramTest, HelpAndVersionWorkEverywhere) {
  for (const char* command : {"greet", "fail"}) {
    EXPECT_EQ(Run({command, "--help"}), kExitOk);
    EXPECT_THAT(out_.str(), HasSubstr("Usage: slice-test " +
                                      std::string(command) + " [OPTIONS]"));
    EXPECT_THAT(out_.str(), Not(HasSubstr("Exit codes")));
    EXPECT_EQ(Run({command, "--version"}), kExitOk);
    EXPECT_THAT(out_.str(), testing::MatchesRegex("slice-test [0-9.]+\n"));
  }
  EXPECT_EQ(Run({"--version"}), kExitOk);
  EXPECT_THAT(out_.str(), testing::MatchesRegex("slice-test [0-9.]+\n"));
  EXPECT_EQ(Run({"--help"}), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("\nCommands:\n  greet                     "
                                    "Say hello\n"));
  EXPECT_THAT(out_.str(), testing::EndsWith("\nExit codes: many.\n"));
}

TEST_F(RunProgramTest, ACommandHasItsOwnFooter) {
  Run({"fail", "--help"});
  EXPECT_THAT(out_.str(), testing::EndsWith("Print this help\n\nIt fails.\n"));
}

}  // namespace
}  // namespace slice
