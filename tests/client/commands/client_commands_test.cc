// Command lines of slice-client against a server in this process: what each
// command writes, and its exit status.
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/commands/client_program.h"
#include "gmock/gmock.h"
#include "grpcpp/security/server_credentials.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/client/test_client.h"
#include "tests/testing/fake_link_server.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/test_certificate.h"

namespace slice {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Runs a line with `--server` before its arguments; retries take no time.
Outcome RunLine(const std::string& server,
                const std::vector<std::string>& arguments,
                bool terminal = false) {
  std::vector<const char*> argv = {"slice-client", "--server", server.c_str()};
  for (const std::string& argument : arguments)
    argv.push_back(argument.c_str());
  std::ostringstream results, messages;
  TextStyle style;
  style.terminal = terminal;
  const int status =
      RunClientProgram(static_cast<int>(argv.size()), argv.data(),
                       {.results = results,
                        .messages = messages,
                        .style = [&style](bool) { return style; },
                        .sleep = [](absl::Duration) {}});
  return {status, results.str(), messages.str()};
}

class CommandsTest : public testing::Test {
 protected:
  Outcome Run(const std::vector<std::string>& arguments,
              bool terminal = false) const {
    return RunLine(server_.address(), arguments, terminal);
  }

  // predict --links with a file of this text.
  Outcome RunLinks(const std::string& text, bool terminal = false) const {
    return Run({"predict", "--links", LinksFile(text)}, terminal);
  }
  std::string LinksFile(const std::string& text) const {
    return directory_.Write("links.tsv", text).string();
  }

  static std::string Score(const std::string& source,
                           const std::string& relation,
                           const std::string& target) {
    return absl::StrFormat(
        "%.9g", FakeLinkServer::Probability(source, relation, target));
  }

  const std::vector<std::string> predict_ = {"predict", "curl", "tagged",
                                             "role::program"};
  const std::vector<std::string> explain_ = {"explain", "curl", "tagged",
                                             "role::program"};
  FakeLinkServer server_;
  const TempDirectory directory_;
};

TEST_F(CommandsTest, PredictWritesALineForPrograms) {
  const Outcome outcome = Run(predict_);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results, "tagged\tcurl\trole::program\t" +
                                 Score("curl", "tagged", "role::program") +
                                 "\n");
  EXPECT_EQ(outcome.messages, "");
}

TEST_F(CommandsTest, PredictDrawsTheScoreOnATerminal) {
  const Outcome outcome = Run(predict_, true);
  EXPECT_THAT(outcome.results, StartsWith("curl ── tagged ─▶ role::program\n"));
  const float probability =
      FakeLinkServer::Probability("curl", "tagged", "role::program");
  EXPECT_THAT(outcome.results, HasSubstr(absl::StrFormat("%.4f", probability)));
  EXPECT_THAT(outcome.results,
              HasSubstr(absl::StrFormat("%.4f", probability / 2)));
}

TEST_F(CommandsTest, PredictShowsTheThresholdOfTheLink) {
  EXPECT_EQ(Run(predict_, true).results.find("threshold"), std::string::npos);
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    reply->mutable_results(0)->set_decision(false);
    reply->mutable_results(0)->set_decision_threshold(0.25);
  });
  EXPECT_THAT(Run(predict_, true).results,
              HasSubstr("no link (threshold 0.2500)"));
}

TEST_F(CommandsTest, PredictShowsFlagsOnATerminal) {
  std::vector<std::string> line = predict_;
  line.push_back("--flags");
  EXPECT_THAT(Run(line, true).results, HasSubstr("\nflags: -\n"));
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    v1::LinkFlags* const flags = reply->mutable_results(0)->mutable_flags();
    flags->set_cold_source(true);
    flags->set_truncated(true);
    flags->add_notes("curl has no link");
  });
  EXPECT_THAT(Run(line, true).results,
              HasSubstr("\nflags: cold_source,truncated\n"
                        "note: curl has no link\n"));
  EXPECT_EQ(Run(predict_, true).results.find("flags:"), std::string::npos);
}

TEST_F(CommandsTest, TheScorerIsSentAndPrinted) {
  for (std::vector<std::string> line : {predict_, explain_}) {
    line.insert(line.end(), {"--scorer", "structural", "--json"});
    EXPECT_THAT(Run(line).results, HasSubstr("\"scorer\":\"structural\""));
  }
  for (const v1::PredictLinksRequest& request : server_.requests())
    EXPECT_EQ(request.scorer(), "structural");
  EXPECT_EQ(server_.requests().size(), 2);
}

TEST_F(CommandsTest, PredictFailsWithTheLinksCodeAndSuggestions) {
  const Outcome outcome =
      Run({"predict", "unknown", "tagged", "role::program"});
  EXPECT_EQ(outcome.status, 69);
  EXPECT_EQ(outcome.results, "");
  EXPECT_EQ(outcome.messages,
            "error: NOT_FOUND: no node has the key or name \"unknown\"\n"
            "did you mean: \"curl\" or \"wget\"\n");
}

TEST_F(CommandsTest, LinksAreScoredInOrderWithLabels) {
  const Outcome outcome = RunLinks("r a b 1\nr\tc d\te\t0\n\nr f g\n");
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, "r\ta\tb\t1\t" + Score("a", "r", "b") +
                                 "\nr\tc d\te\t0\t" + Score("c d", "r", "e") +
                                 "\nr\tf\tg\t" + Score("f", "r", "g") + "\n");
}

TEST_F(CommandsTest, ManyLinksKeepTheirOrder) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string source = absl::StrCat("s", i);
    absl::StrAppend(&text, "r ", source, " t\n");
    absl::StrAppend(&expected, "r\t", source, "\tt\t", Score(source, "r", "t"),
                    "\n");
  }
  const Outcome outcome = RunLinks(text);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, expected);
  EXPECT_EQ(server_.requests().size(), 6);
}

TEST_F(CommandsTest, AMalformedLineSendsNothing) {
  const std::string file = LinksFile("r a b\nr a\n");
  const Outcome outcome = Run({"predict", "--links", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.results, "");
  EXPECT_THAT(outcome.messages, StartsWith("error: " + file + ":2:4: "));
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(CommandsTest, AMissingFileIsAFailureOfThisMachine) {
  const std::string file = (directory_ / "absent").string();
  const Outcome outcome = Run({"predict", "--links", file});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.messages, HasSubstr(file));
}

TEST_F(CommandsTest, AnUnknownNodeCostsItsLineOnly) {
  const std::string file = LinksFile("r a b\nr unknown b\nr c d\n");
  const Outcome outcome = Run({"predict", "--links", file});
  EXPECT_EQ(outcome.status, 69);
  EXPECT_EQ(outcome.results, "r\ta\tb\t" + Score("a", "r", "b") +
                                 "\nr\tunknown\tb\tnan\nr\tc\td\t" +
                                 Score("c", "r", "d") + "\n");
  EXPECT_THAT(outcome.messages,
              StartsWith("error: " + file + ":2: NOT_FOUND: "));
}

TEST_F(CommandsTest, RelationsOfTheModelTellTheColumnsOfAFile) {
  const std::string scored =
      "tagged\tcurl\trole\t" + Score("curl", "tagged", "role") + "\n";
  EXPECT_EQ(RunLinks("Who,Connection,What\ncurl,tagged,role\n").results,
            scored);
  EXPECT_EQ(RunLinks("curl\ttagged\trole\n").results, scored);
}

TEST_F(CommandsTest, ManyUnknownNodesAreCounted) {
  std::string text;
  for (int i = 0; i < 60; ++i) absl::StrAppend(&text, "r unknown", i, " b\n");
  const Outcome outcome = RunLinks(text);
  EXPECT_THAT(outcome.messages, HasSubstr("... and 10 more links failed\n"));
}

TEST_F(CommandsTest, AFailedCallEndsTheRunWithItsCode) {
  server_.FailNext({grpc::Status::OK,  // of the list of relations
                    grpc::Status(grpc::StatusCode::FAILED_PRECONDITION,
                                 "bundle and graph do not match")});
  const Outcome outcome = RunLinks("r a b\n");
  EXPECT_EQ(outcome.status, 64 + 9);
  EXPECT_EQ(outcome.results, "");
  EXPECT_EQ(outcome.messages,
            "error: FAILED_PRECONDITION: bundle and graph do not match\n"
            "stopped after 0 of 1 links\n");
}

TEST_F(CommandsTest, LinksAreScoredByASlowServerToo) {
  server_.SetOutcome([](const v1::PredictLinksRequest& request) {
    return request.links_size() <= 50
               ? grpc::Status::OK
               : grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "too slow");
  });
  std::string text;
  std::string expected;
  for (int i = 0; i < 1500; ++i) {
    const std::string source = absl::StrCat("s", i);
    absl::StrAppend(&text, "r ", source, " t\n");
    absl::StrAppend(&expected, "r\t", source, "\tt\t", Score(source, "r", "t"),
                    "\n");
  }
  Outcome outcome = RunLinks(text);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, expected);
  outcome = RunLinks(text, /*terminal=*/true);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results, expected);
  // Which sizes are tried depends on the order in which calls end.
  std::istringstream messages(outcome.messages);
  size_t size = 512;
  for (std::string line; std::getline(messages, line);) {
    size_t next = 0;
    ASSERT_EQ(std::sscanf(line.c_str(),
                          "the server is slow: asking for %zu links", &next),
              1)
        << line;
    EXPECT_LT(next, size);
    size = next;
  }
  EXPECT_LE(size, 50);
}

TEST_F(CommandsTest, ALinkThatIsNeverInTimeFailsAlone) {
  server_.SetOutcome([](const v1::PredictLinksRequest& request) {
    for (const v1::LinkRef& link : request.links()) {
      if (link.source().name() == "c")
        return grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "too slow");
    }
    return grpc::Status::OK;
  });
  const std::string file = LinksFile("r a b\nr c d\nr e f\n");
  const Outcome outcome = Run({"predict", "--links", file});
  EXPECT_EQ(outcome.status, 68);
  EXPECT_EQ(outcome.results, "r\ta\tb\t" + Score("a", "r", "b") +
                                 "\nr\tc\td\tnan\nr\te\tf\t" +
                                 Score("e", "r", "f") + "\n");
  EXPECT_EQ(outcome.messages,
            "error: " + file + ":2: DEADLINE_EXCEEDED: too slow\n");
}

TEST_F(CommandsTest, LinksBecomeAJsonObjectPerLine) {
  const Outcome outcome = Run(
      {"predict", "--json", "--links", LinksFile("r a b 1\nr unknown b 0\n")});
  EXPECT_EQ(outcome.status, 69);
  std::istringstream lines(outcome.results);
  std::string first;
  std::string second;
  ASSERT_TRUE(std::getline(lines, first) && std::getline(lines, second));
  EXPECT_EQ(nlohmann::json::parse(first)["label"], 1);
  EXPECT_EQ(nlohmann::json::parse(second)["status"]["code"], "NOT_FOUND");
}

TEST_F(CommandsTest, ResultsThatCannotBeWrittenAreAFailure) {
  std::ostringstream results, messages;
  results.setstate(std::ios::badbit);
  const std::string address = server_.address();
  const std::string file = LinksFile("r a b\n");
  const char* const argv[] = {"slice-client", "--server", address.c_str(),
                              "predict",      "--links",  file.c_str()};
  EXPECT_EQ(
      RunClientProgram(6, argv, {.results = results, .messages = messages}), 1);
  EXPECT_THAT(messages.str(), HasSubstr("cannot write the results"));
}

TEST_F(CommandsTest, ExplainDrawsWithTheThreshold) {
  const Outcome outcome = Run(explain_);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results, HasSubstr("a link (threshold 0.4100)"));
}

TEST_F(CommandsTest, ExplainLeavesOutTheThresholdOfAnotherBundle) {
  server_.SetEditAnswer(
      [](v1::PredictLinksResponse* reply) { reply->set_bundle_id("newer"); });
  const Outcome outcome = Run(explain_);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results.find("threshold"), std::string::npos);
}

TEST_F(CommandsTest, ExplainWritesDotAndJson) {
  std::vector<std::string> line = explain_;
  line.push_back("--dot");
  EXPECT_THAT(Run(line).results, StartsWith("digraph"));
  line.back() = "--json";
  EXPECT_EQ(nlohmann::json::parse(Run(line).results)["explanation"]["distance"],
            3);
}

TEST_F(CommandsTest, ExplainAsksTwiceForAWhatIf) {
  std::vector<std::string> line = explain_;
  line.insert(line.end(), {"--without", "curl depends libcurl4", "--with",
                           "curl\ttagged\tweb browser", "--with-node",
                           "package:newpkg", "--without-node", "wget"});
  const Outcome outcome = Run(line);
  ASSERT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results,
              HasSubstr("what if: without curl depends libcurl4\n"));
  EXPECT_THAT(outcome.results, HasSubstr("now  what if"));
  const auto requests = server_.requests();
  ASSERT_EQ(requests.size(), 2);
  const v1::WhatIf& what_if = requests[0].what_if();
  ASSERT_EQ(what_if.changes_size(), 4);
  EXPECT_EQ(what_if.changes(0).upsert_node().key(), "newpkg");
  EXPECT_EQ(what_if.changes(0).upsert_node().type(), "package");
  EXPECT_EQ(what_if.changes(1).remove_node().name(), "wget");
  EXPECT_EQ(what_if.changes(2).add_link().target().name(), "web browser");
  EXPECT_EQ(what_if.changes(3).remove_link().relation(), "depends");
  EXPECT_FALSE(requests[1].has_what_if());
}

TEST_F(CommandsTest, ALinkOfAnImaginedNodeIsExplainedInFull) {
  server_.FailNext({grpc::Status::OK,
                    grpc::Status(grpc::StatusCode::NOT_FOUND, "no such node")});
  std::vector<std::string> line = explain_;
  line.insert(line.end(), {"--with-node", "newpkg"});
  Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results, HasSubstr("a link (threshold 0.4100)"));
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    reply->mutable_results(0)->set_decision_threshold(0.25);
  });
  server_.FailNext({grpc::Status::OK,
                    grpc::Status(grpc::StatusCode::NOT_FOUND, "no such node")});
  outcome = Run(line);
  EXPECT_THAT(outcome.results, HasSubstr("a link (threshold 0.2500)"));
}

TEST_F(CommandsTest, AnErrorOfAChangeNamesItsFlag) {
  const grpc::Status unknown(
      grpc::StatusCode::NOT_FOUND,
      "what_if.changes[0].add_link.target: no node has the key or name 'Zoe'");
  const std::string named =
      "error: NOT_FOUND: --with 'curl depends Zoe': no node has the key or "
      "name 'Zoe'; add it with --with-node Zoe\n";
  for (std::vector<std::string> line : {predict_, explain_}) {
    line.insert(line.end(), {"--with", "curl depends Zoe"});
    server_.FailNext({unknown});
    const Outcome outcome = Run(line);
    EXPECT_EQ(outcome.status, 69);
    EXPECT_EQ(outcome.messages, named);
  }
  server_.FailNext({grpc::Status::OK, unknown});  // first the relations
  const Outcome outcome = Run({"predict", "--with", "curl depends Zoe",
                               "--links", LinksFile("tagged curl x\n")});
  EXPECT_EQ(outcome.messages, named + "stopped after 0 of 1 links\n");
}

TEST_F(CommandsTest, AWhatIfSaysThatATypeSeemsToBeMisspelt) {
  std::vector<std::string> line = predict_;
  line.insert(line.end(), {"--with-node", "pakage:newpkg", "--with-node",
                           "https://newpkg"});
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.messages,
            "note: the graph has no type 'pakage', so the new node has the key "
            "'pakage:newpkg'; did you mean 'package'?\n");
  const v1::WhatIf what_if = server_.requests().at(0).what_if();
  EXPECT_EQ(what_if.changes(0).upsert_node().key(), "pakage:newpkg");
  EXPECT_EQ(what_if.changes(1).upsert_node().key(), "https://newpkg");
}

TEST_F(CommandsTest, AWhatIfSaysWhatChangedNothing) {
  server_.SetEditAnswer([](v1::PredictLinksResponse* answer) {
    answer->mutable_what_if()->add_without_effect(0);
  });
  std::vector<std::string> line = predict_;
  line.insert(line.end(), {"--with", "curl depends libcurl4"});
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.messages,
            "note: \"with curl depends libcurl4\" changes nothing: the graph "
            "is like that already\n");
  line.push_back("--json");
  EXPECT_EQ(Run(line).status, 0);
}

TEST_F(CommandsTest, AWhatIfThatCannotBeReadIsAUsageError) {
  for (const char* flag : {"--with", "--without"}) {
    std::vector<std::string> line = explain_;
    line.insert(line.end(), {flag, "curl depends"});
    const Outcome outcome = Run(line);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.messages, HasSubstr("has fewer than three parts"));
  }
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(CommandsTest, AFileIsScoredInAnImaginedGraph) {
  const Outcome outcome =
      Run({"predict", "--links", LinksFile("tagged curl role::program\n"),
           "--without-node", "wget"});
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  ASSERT_EQ(server_.requests().size(), 1);
  EXPECT_EQ(server_.requests()[0].what_if().changes_size(), 1);
}

TEST_F(CommandsTest, AFileSaysOnceWhatChangesNothing) {
  server_.SetEditAnswer([](v1::PredictLinksResponse* answer) {
    answer->mutable_what_if()->add_without_effect(0);
  });
  const Outcome outcome =
      Run({"predict", "--links",
           LinksFile("tagged curl role::program\ntagged curl x\n"), "--without",
           "curl tagged x"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.messages,
              HasSubstr("note: a question never sees the link that it asks"));
  EXPECT_THAT(outcome.messages,
              HasSubstr("note: \"without curl tagged x\" changes nothing"));
  EXPECT_EQ(outcome.messages.find("a question"),
            outcome.messages.rfind("a question"));
}

TEST_F(CommandsTest, AWhatIfKeepsTheNodesItAsksAbout) {
  for (std::vector<std::string> line : {predict_, explain_}) {
    line.insert(line.end(), {"--without-node", "curl"});
    const Outcome outcome = Run(line);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.messages,
                HasSubstr("--without-node curl takes away the source that you "
                          "ask about"));
  }
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(CommandsTest, UpdateRefusesWhatItsActionDoesNotRead) {
  const std::pair<std::vector<std::string>, const char*> lines[] = {
      {{"state", "extra"}, "update state needs no more words"},
      {{"state", "--name", "x"}, "update state takes no --name"},
      {{"file", "f", "--weight", "2"}, "update file takes no --weight"},
      {{"add", "a", "r", "b", "--name", "x"}, "update add takes no --name"},
      {{"remove", "a", "r", "b", "--weight", "2"},
       "update remove takes no --weight"},
      {{"node", "a", "--weight", "2"}, "update node takes no --weight"},
      {{"remove-node", "a", "--name", "x"},
       "update remove-node takes no --name"}};
  for (auto [line, message] : lines) {
    line.insert(line.begin(), "update");
    const Outcome outcome = Run(line);
    EXPECT_EQ(outcome.status, 2) << message;
    EXPECT_THAT(outcome.messages, HasSubstr(message));
  }
}

TEST_F(CommandsTest, AVersionBelowZeroIsRefused) {
  std::vector<std::string> line = predict_;
  line.insert(line.end(), {"--min-graph-version", "-1"});
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.messages, HasSubstr("'-1' is out of range"));
}

TEST_F(CommandsTest, KeysAreSentAsKeys) {
  EXPECT_EQ(Run({"predict", "curl", "tagged", "x", "--keys"}).status, 0);
  const v1::LinkRef link = server_.requests().back().links(0);
  EXPECT_EQ(link.source().key(), "curl");
  EXPECT_EQ(link.target().key(), "x");
  EXPECT_EQ(Run({"predict", "--keys", "--links", LinksFile("r a b\n")}).status,
            0);
  EXPECT_EQ(server_.requests().back().links(0).target().key(), "b");
}

TEST_F(CommandsTest, NeighborsAreListedWithACountOfTheRest) {
  const Outcome outcome = Run({"neighbors", "curl", "--limit", "2"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results,
            "out\tdepends\tneighbor0\tNeighbor 0\tpackage\n"
            "out\tdepends\tneighbor1\tNeighbor 1\tpackage\n");
  EXPECT_EQ(outcome.messages,
            "these are the first 2 of 3 links; --limit 0 lists all\n");
}

TEST_F(CommandsTest, NeighborsOfAnUnknownNodeFail) {
  EXPECT_EQ(Run({"neighbors", "unknown"}).status, 69);
}

TEST_F(CommandsTest, FindListsNodes) {
  Outcome outcome = Run({"find", "lib", "--type", "package", "--limit", "2"});
  EXPECT_EQ(outcome.results, "lib0\tlib0\tpackage\nlib1\tlib1\tpackage\n");
  EXPECT_EQ(outcome.messages, "there are more nodes; --limit 0 lists all\n");
  outcome = Run({"find", "unknown", "--type", "package", "--limit", "2"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.messages,
            "no node has a name that starts with \"unknown\"; did you mean "
            "'curl'?\n");
}

TEST_F(CommandsTest, TheNameOfACommandMayBeAPrefix) {
  EXPECT_THAT(Run({"find", "info"}).results, StartsWith("info0\t"));
}

TEST_F(CommandsTest, APrefixMayLookLikeAFlagBehindTwoDashes) {
  EXPECT_THAT(Run({"find", "--", "-x"}).results, StartsWith("-x0\t"));
}

TEST_F(CommandsTest, RelationsAndInfoAreListed) {
  EXPECT_EQ(Run({"relations"}).results, "tagged\t1\tpackage\tdebtag\n");
  const Outcome outcome = Run({"info"});
  EXPECT_THAT(outcome.results, HasSubstr("bundle\ttoy\n"));
  EXPECT_THAT(outcome.results, HasSubstr("context\tpaths, at most 12 types of "
                                         "paths, and the two ends\n"));
  EXPECT_THAT(outcome.results, HasSubstr("decision threshold\t0.41\n"));
  EXPECT_THAT(outcome.results, HasSubstr("test.auroc\t0.9931\n"));
}

TEST_F(CommandsTest, InfoOfAnUnknownModelFails) {
  EXPECT_EQ(Run({"info", "--model", "absent"}).status, 69);
}

TEST_F(CommandsTest, RecommendSendsItsFlags) {
  EXPECT_EQ(Run({"recommend", "--target", "curl", "--relation", "tagged", "--k",
                 "2", "--type", "package", "--include_existing", "--keys"})
                .status,
            0);
  const v1::RecommendLinksRequest request = server_.last_recommend_request();
  ExpectTwoPackagesOfCurl(request);
}

TEST_F(CommandsTest, RecommendAsksForTenTargetsOfASource) {
  EXPECT_EQ(
      Run({"recommend", "--source", "curl", "--relation", "tagged"}).status, 0);
  EXPECT_EQ(server_.last_recommend_request().source().name(), "curl");
  EXPECT_EQ(server_.last_recommend_request().k(), 10);
}

TEST_F(CommandsTest, HealthFollowsTheHealthProbe) {
  Outcome outcome = Run({"health"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results, "SERVING\n");
  server_.SetServing("", false);
  outcome = Run({"health"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.results, "NOT_SERVING\n");
  EXPECT_EQ(Run({"health", "absent"}).status, 3);
}

TEST_F(CommandsTest, HealthWithoutAServerIsAConnectionFailure) {
  std::string address;
  {
    const FakeLinkServer gone;
    address = gone.address();
  }
  const Outcome outcome = RunLine(address, {"health"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.messages, HasSubstr("is slice-server running"));
}

TEST_F(CommandsTest, WatchEndsAfterMaxTimeWithTheLastState) {
  const Outcome outcome = Run({"health", "--watch", "--max-time", "0.2"});
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, "SERVING\n");
}

TEST_F(CommandsTest, AnUnreadableCertificateIsAFailureOfThisMachine) {
  const Outcome outcome =
      Run({"info", "--cacert", (directory_ / "absent.pem").string()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.messages, HasSubstr("absent.pem"));
}

// A server that encrypts and asks clients for a certificate.
class EncryptedCommandsTest : public testing::Test {
 protected:
  std::shared_ptr<grpc::ServerCredentials> Credentials() const {
    grpc::SslServerCredentialsOptions options(
        GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    options.pem_root_certs = certificate_.certificate;
    options.pem_key_cert_pairs = {
        {certificate_.private_key, certificate_.certificate}};
    return grpc::SslServerCredentials(options);
  }

  int RunInfo(std::vector<std::string> flags) const {
    flags.insert(flags.begin(), {"info", "--retries", "0"});
    return RunLine(server_.address(), flags).status;
  }

  const TestCertificate certificate_ = MakeTestCertificate();
  const TempDirectory directory_;
  const std::string certificate_file_ =
      directory_.Write("certificate.pem", certificate_.certificate).string();
  const std::string key_file_ =
      directory_.Write("key.pem", certificate_.private_key).string();
  FakeLinkServer server_{Credentials()};
};

TEST_F(EncryptedCommandsTest, TrustsTheGivenAuthorityAndShowsItsCertificate) {
  EXPECT_EQ(RunInfo({"--cacert", certificate_file_, "--cert", certificate_file_,
                     "--key", key_file_}),
            0);
}

TEST_F(EncryptedCommandsTest, FailsWithoutACertificateOfItsOwn) {
  EXPECT_EQ(RunInfo({"--cacert", certificate_file_}), 64 + 14);
}

TEST_F(EncryptedCommandsTest, FailsWithoutEncryption) {
  EXPECT_EQ(RunInfo({}), 64 + 14);
}

TEST_F(EncryptedCommandsTest, HealthGivesTheAdviceOfOtherCommands) {
  const Outcome plain = RunLine(server_.address(), {"health"});
  EXPECT_EQ(plain.status, 2);
  EXPECT_THAT(plain.messages, HasSubstr("try --tls, or --cacert FILE"));
  const std::string other =
      directory_.Write("other.pem", MakeTestCertificate().certificate).string();
  const Outcome untrusted =
      RunLine(server_.address(), {"health", "--cacert", other});
  EXPECT_EQ(untrusted.status, 2);
  EXPECT_THAT(untrusted.messages, HasSubstr("name the authority's PEM file"));
}

TEST_F(EncryptedCommandsTest, FailsWhenTheAuthorityIsAnother) {
  const std::string other =
      directory_.Write("other.pem", MakeTestCertificate().certificate).string();
  EXPECT_EQ(RunInfo({"--cacert", other, "--cert", certificate_file_, "--key",
                     key_file_}),
            64 + 14);
}

}  // namespace
}  // namespace slice
