#include "client/commands.h"

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
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

struct Outcome {
  int status = 0;
  std::string results;
  std::string messages;
};

class CommandsTest : public testing::Test {
 protected:
  CommandLine Line(ClientCommand command) const {
    CommandLine line;
    line.command = command;
    line.client = OptionsFor(server_);
    line.link = Query("curl", "tagged", "role::program");
    line.neighbors.node.text = "curl";
    return line;
  }

  CommandLine LinksLine(const std::string& text) const {
    CommandLine line = Line(ClientCommand::kPredict);
    line.links_path = directory_.Write("links.tsv", text).string();
    return line;
  }

  Outcome Run(const CommandLine& line, bool terminal = false) const {
    std::ostringstream results;
    std::ostringstream messages;
    TextStyle style;
    style.terminal = terminal;
    const int status = RunCommand(line, {results, messages, style});
    return {status, results.str(), messages.str()};
  }

  static std::string Score(const std::string& source,
                           const std::string& relation,
                           const std::string& target) {
    return absl::StrFormat(
        "%.9g", FakeLinkServer::Probability(source, relation, target));
  }

  FakeLinkServer server_;
  const TempDirectory directory_;
};

TEST_F(CommandsTest, PredictWritesALineForPrograms) {
  const Outcome outcome = Run(Line(ClientCommand::kPredict));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results, "tagged\tcurl\trole::program\t" +
                                 Score("curl", "tagged", "role::program") +
                                 "\n");
  EXPECT_EQ(outcome.messages, "");
}

TEST_F(CommandsTest, PredictDrawsATableOnATerminal) {
  const Outcome outcome = Run(Line(ClientCommand::kPredict), true);
  EXPECT_THAT(outcome.results, StartsWith("source  relation  target"));
  EXPECT_THAT(outcome.results, HasSubstr("curl    tagged    role::program"));
  const float probability =
      FakeLinkServer::Probability("curl", "tagged", "role::program");
  EXPECT_THAT(outcome.results, HasSubstr("probability  among kind"));
  EXPECT_THAT(outcome.results, HasSubstr(absl::StrFormat("%.6f", probability)));
  EXPECT_THAT(outcome.results,
              HasSubstr(absl::StrFormat("%.6f", probability / 2)));
}

TEST_F(CommandsTest, TheScorerIsAskedForAndTold) {
  CommandLine line = Line(ClientCommand::kPredict);
  line.client.scorer = "structural";
  line.json = true;
  EXPECT_THAT(Run(line).results, HasSubstr("\"scorer\":\"structural\""));
  line.command = ClientCommand::kExplain;
  EXPECT_THAT(Run(line).results, HasSubstr("\"scorer\":\"structural\""));
  for (const v1::PredictLinksRequest& request : server_.requests())
    EXPECT_EQ(request.scorer(), "structural");
  EXPECT_EQ(server_.requests().size(), 2);
}

TEST_F(CommandsTest, PredictFailsWithTheLinksCodeAndSuggestions) {
  CommandLine line = Line(ClientCommand::kPredict);
  line.link.source.text = "unknown";
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 69);
  EXPECT_EQ(outcome.results, "");
  EXPECT_EQ(outcome.messages,
            "error: NOT_FOUND: no node has the key or name \"unknown\"\n"
            "did you mean: \"curl\" or \"wget\"\n");
}

TEST_F(CommandsTest, LinksAreScoredInOrderWithLabels) {
  const Outcome outcome = Run(LinksLine("r a b 1\nr\tc d\te\t0\n\nr f g\n"));
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
  const Outcome outcome = Run(LinksLine(text));
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, expected);
  EXPECT_EQ(server_.requests().size(), 6);
}

TEST_F(CommandsTest, AMalformedLineSendsNothing) {
  const CommandLine line = LinksLine("r a b\nr a\n");
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.results, "");
  EXPECT_THAT(outcome.messages,
              StartsWith("error: " + line.links_path + ":2:4: "));
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(CommandsTest, AMissingFileIsAFailureOfThisMachine) {
  CommandLine line = Line(ClientCommand::kPredict);
  line.links_path = (directory_ / "absent").string();
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.messages, HasSubstr(line.links_path));
}

TEST_F(CommandsTest, AnUnknownNodeCostsItsLineOnly) {
  const CommandLine line = LinksLine("r a b\nr unknown b\nr c d\n");
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 69);
  EXPECT_EQ(outcome.results, "r\ta\tb\t" + Score("a", "r", "b") +
                                 "\nr\tunknown\tb\tnan\nr\tc\td\t" +
                                 Score("c", "r", "d") + "\n");
  EXPECT_THAT(outcome.messages,
              StartsWith("error: " + line.links_path + ":2: NOT_FOUND: "));
}

TEST_F(CommandsTest, ManyUnknownNodesAreCounted) {
  std::string text;
  for (int i = 0; i < 60; ++i) absl::StrAppend(&text, "r unknown", i, " b\n");
  const Outcome outcome = Run(LinksLine(text));
  EXPECT_THAT(outcome.messages, HasSubstr("... and 10 more links failed\n"));
}

TEST_F(CommandsTest, AFailedCallEndsTheRunWithItsCode) {
  server_.FailNext({grpc::Status(grpc::StatusCode::FAILED_PRECONDITION,
                                 "bundle and graph do not match")});
  const Outcome outcome = Run(LinksLine("r a b\n"));
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
  Outcome outcome = Run(LinksLine(text));
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, expected);
  outcome = Run(LinksLine(text), /*terminal=*/true);
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
  const CommandLine line = LinksLine("r a b\nr c d\nr e f\n");
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 68);
  EXPECT_EQ(outcome.results, "r\ta\tb\t" + Score("a", "r", "b") +
                                 "\nr\tc\td\tnan\nr\te\tf\t" +
                                 Score("e", "r", "f") + "\n");
  EXPECT_EQ(outcome.messages,
            "error: " + line.links_path + ":2: DEADLINE_EXCEEDED: too slow\n");
}

TEST_F(CommandsTest, LinksBecomeAJsonObjectPerLine) {
  CommandLine line = LinksLine("r a b 1\nr unknown b 0\n");
  line.json = true;
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 69);
  std::istringstream lines(outcome.results);
  std::string first;
  std::string second;
  ASSERT_TRUE(std::getline(lines, first) && std::getline(lines, second));
  EXPECT_EQ(nlohmann::json::parse(first)["label"], 1);
  EXPECT_EQ(nlohmann::json::parse(second)["status"]["code"], "NOT_FOUND");
}

TEST_F(CommandsTest, ResultsThatCannotBeWrittenAreAFailure) {
  std::ostringstream results;
  std::ostringstream messages;
  results.setstate(std::ios::badbit);
  const CommandLine line = LinksLine("r a b\n");
  EXPECT_EQ(RunCommand(line, {results, messages, TextStyle{}}), 1);
  EXPECT_THAT(messages.str(), HasSubstr("cannot write the results"));
}

TEST_F(CommandsTest, ExplainDrawsWithTheThreshold) {
  const Outcome outcome = Run(Line(ClientCommand::kExplain));
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(outcome.results, HasSubstr("a link (threshold 0.4100)"));
}

TEST_F(CommandsTest, ExplainLeavesOutTheThresholdOfAnotherBundle) {
  server_.SetEditAnswer(
      [](v1::PredictLinksResponse* reply) { reply->set_bundle_id("newer"); });
  const Outcome outcome = Run(Line(ClientCommand::kExplain));
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results.find("threshold"), std::string::npos);
}

TEST_F(CommandsTest, ExplainWritesDotAndJson) {
  CommandLine line = Line(ClientCommand::kExplain);
  line.dot = true;
  EXPECT_THAT(Run(line).results, StartsWith("digraph"));
  line.dot = false;
  line.json = true;
  EXPECT_EQ(nlohmann::json::parse(Run(line).results)["explanation"]["distance"],
            3);
}

TEST_F(CommandsTest, NeighborsAreListedWithACountOfTheRest) {
  CommandLine line = Line(ClientCommand::kNeighbors);
  line.neighbors.limit = 2;
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results,
            "out\tdepends\tneighbor0\tNeighbor 0\tpackage\n"
            "out\tdepends\tneighbor1\tNeighbor 1\tpackage\n");
  EXPECT_EQ(outcome.messages, "the first 2 of 3; --limit 0 lists all\n");
}

TEST_F(CommandsTest, NeighborsOfAnUnknownNodeFail) {
  CommandLine line = Line(ClientCommand::kNeighbors);
  line.neighbors.node.text = "unknown";
  EXPECT_EQ(Run(line).status, 69);
}

TEST_F(CommandsTest, FindListsNodes) {
  CommandLine line = Line(ClientCommand::kFind);
  line.find = {"lib", "package", 2};
  Outcome outcome = Run(line);
  EXPECT_EQ(outcome.results, "lib0\tlib0\tpackage\nlib1\tlib1\tpackage\n");
  EXPECT_EQ(outcome.messages, "there are more; --limit 0 lists all\n");
  line.find.prefix = "unknown";
  outcome = Run(line);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.messages,
            "no node starts with \"unknown\"\ndid you mean: curl\n");
}

TEST_F(CommandsTest, RelationsAndInfoAreListed) {
  EXPECT_EQ(Run(Line(ClientCommand::kRelations)).results,
            "tagged\t1\tpackage\tdebtag\n");
  const Outcome outcome = Run(Line(ClientCommand::kInfo));
  EXPECT_THAT(outcome.results, HasSubstr("bundle\ttoy\n"));
  EXPECT_THAT(outcome.results, HasSubstr("test.auroc\t0.9931\n"));
}

TEST_F(CommandsTest, InfoOfAnUnknownModelFails) {
  CommandLine line = Line(ClientCommand::kInfo);
  line.client.model = "absent";
  EXPECT_EQ(Run(line).status, 69);
}

TEST_F(CommandsTest, HealthFollowsTheHealthProbe) {
  CommandLine line = Line(ClientCommand::kHealth);
  Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.results, "SERVING\n");
  server_.SetServing("", false);
  outcome = Run(line);
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.results, "NOT_SERVING\n");
  line.service = "absent";
  EXPECT_EQ(Run(line).status, 3);
}

TEST_F(CommandsTest, HealthWithoutAServerIsAConnectionFailure) {
  CommandLine line = Line(ClientCommand::kHealth);
  {
    const FakeLinkServer gone;
    line.client.connection.server = gone.address();
  }
  EXPECT_EQ(Run(line).status, 2);
}

TEST_F(CommandsTest, WatchEndsAtTheTimeAskedForWithTheLastState) {
  CommandLine line = Line(ClientCommand::kHealth);
  line.watch = true;
  line.client.max_time = absl::Milliseconds(200);
  line.max_time_given = true;
  const Outcome outcome = Run(line);
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_EQ(outcome.results, "SERVING\n");
}

TEST_F(CommandsTest, AnUnreadableCertificateIsAFailureOfThisMachine) {
  CommandLine line = Line(ClientCommand::kInfo);
  line.client.connection.tls = true;
  line.client.connection.ca_file = (directory_ / "absent.pem").string();
  const Outcome outcome = Run(line);
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

  int RunInfo(ConnectionOptions connection) const {
    CommandLine line;
    line.command = ClientCommand::kInfo;
    line.client = OptionsFor(server_);
    line.client.retry.max_attempts = 1;
    connection.server = server_.address();
    line.client.connection = connection;
    std::ostringstream results;
    std::ostringstream messages;
    return RunCommand(line, {results, messages, TextStyle{}});
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
  ConnectionOptions connection;
  connection.tls = true;
  connection.ca_file = certificate_file_;
  connection.cert_file = certificate_file_;
  connection.key_file = key_file_;
  EXPECT_EQ(RunInfo(connection), 0);
}

TEST_F(EncryptedCommandsTest, FailsWithoutACertificateOfItsOwn) {
  ConnectionOptions connection;
  connection.tls = true;
  connection.ca_file = certificate_file_;
  EXPECT_EQ(RunInfo(connection), 64 + 14);
}

TEST_F(EncryptedCommandsTest, FailsWithoutEncryption) {
  EXPECT_EQ(RunInfo({}), 64 + 14);
}

TEST_F(EncryptedCommandsTest, FailsWhenTheAuthorityIsAnother) {
  ConnectionOptions connection;
  connection.tls = true;
  connection.ca_file =
      directory_.Write("other.pem", MakeTestCertificate().certificate).string();
  connection.cert_file = certificate_file_;
  connection.key_file = key_file_;
  EXPECT_EQ(RunInfo(connection), 64 + 14);
}

}  // namespace
}  // namespace slice
