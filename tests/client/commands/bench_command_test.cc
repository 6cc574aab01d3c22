// slice-client bench against a server in this process. Its times depend on the
// machine; its counts do not, and are tested.
#include "client/commands/bench_command.h"

#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "client/bench/load_requests.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/client/test_client.h"
#include "tests/testing/fake_link_server.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class BenchCommandTest : public testing::Test {
 protected:
  BenchCommandTest() {
    options_.format = BenchFormat::kJson;
    options_.concurrency = {3};
    options_.links_per_rpc = 4;
    options_.duration = absl::Milliseconds(150);
    options_.warmup = absl::ZeroDuration();
    options_.drawn_links = 50;
  }

  void UseLinks(const std::string& text) {
    options_.links_path = directory_.Write("links.tsv", text).string();
  }

  Outcome Run() const {
    std::ostringstream results;
    std::ostringstream messages;
    const int status = RunBench(*Connected(client_), options_,
                                {results, messages, TextStyle{}});
    return {status, results.str(), messages.str()};
  }

  Json RunJson() const {
    const Outcome outcome = Run();
    EXPECT_EQ(outcome.status, 0) << outcome.messages;
    return Json::parse(outcome.results);
  }

  FakeLinkServer server_;
  const TempDirectory directory_;
  LinkClient::Options client_ = OptionsFor(server_);
  BenchOptions options_;
};

TEST_F(BenchCommandTest, EveryCallIsCounted) {
  const Json json = RunJson();
  const int64_t sent = json["sent"];
  EXPECT_GE(sent, 3);
  EXPECT_EQ(sent, static_cast<int64_t>(server_.requests().size()));
  EXPECT_EQ(json["answered"], sent);
  EXPECT_EQ(json["failed"], 0);
  EXPECT_EQ(json["links"], 4 * sent);
  EXPECT_EQ(json["max_outstanding"], 3);
  EXPECT_NEAR(json["links_per_second"].get<double>(),
              4 * json["rpcs_per_second"].get<double>(), 1e-6);
}

TEST_F(BenchCommandTest, JsonHasTheKeysOfTheDocument) {
  const Json json = RunJson();
  std::set<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.insert(key);
  EXPECT_THAT(keys, testing::ElementsAreArray({"answered",
                                               "bundle_id",
                                               "classes",
                                               "device",
                                               "error_latency_seconds",
                                               "errors",
                                               "failed",
                                               "forward_path",
                                               "generator_cores",
                                               "graph_version",
                                               "interrupted",
                                               "latency_seconds",
                                               "lateness_seconds",
                                               "link_errors",
                                               "links",
                                               "links_per_second",
                                               "max_outstanding",
                                               "measured_seconds",
                                               "options",
                                               "rejected_latency_seconds",
                                               "rpcs_per_second",
                                               "sent",
                                               "server",
                                               "server_version",
                                               "unsent"}));
  EXPECT_EQ(json["bundle_id"], "toy");
  EXPECT_EQ(json["forward_path"], "native");
  EXPECT_EQ(json["options"]["loop"], "closed");
  EXPECT_EQ(json["options"]["concurrency"], 3);
  EXPECT_EQ(json["options"]["rate"], nullptr);
  EXPECT_EQ(json["options"]["links_per_rpc"], 4);
  EXPECT_EQ(json["errors"], Json::object());
  EXPECT_EQ(json["lateness_seconds"]["p99"], nullptr);
  double last = 0;
  for (const char* name : {"p50", "p95", "p99", "p999", "max"}) {
    const double seconds = json["latency_seconds"][name];
    EXPECT_GE(seconds, last) << name;
    last = seconds;
  }
  EXPECT_GT(json["latency_seconds"]["mean"], 0);
}

TEST_F(BenchCommandTest, TheServersTimesAreGathered) {
  const Json server = RunJson()["server"];
  EXPECT_NEAR(server["queue_seconds"]["p50"].get<double>(), 120e-6, 1e-6);
  EXPECT_NEAR(server["context_seconds"]["mean"].get<double>(), 30e-6, 1e-9);
  EXPECT_NEAR(server["model_seconds"]["max"].get<double>(), 450e-6, 1e-9);
  EXPECT_EQ(server["batch_size"], Json({{"mean", 8.0}, {"max", 8}}));
  options_.format = BenchFormat::kTable;
  EXPECT_THAT(Run().results, HasSubstr("\nin the server "));
}

TEST_F(BenchCommandTest, RequestsAskForTheClass) {
  options_.load_class = LoadClass::kBulk;
  EXPECT_EQ(RunJson()["options"]["class"], "bulk");
  for (const auto& request : server_.requests())
    EXPECT_EQ(request.request_class(), v1::REQUEST_CLASS_BULK);
}

TEST_F(BenchCommandTest, AMixIsCountedByClass) {
  options_.bulk_share = 0.25;
  options_.bulk_links_per_rpc = 10;
  options_.format = BenchFormat::kJson;
  const Json json = RunJson();
  std::map<int, int64_t> sent;  // by class
  for (const auto& request : server_.requests()) {
    ++sent[request.request_class()];
    const bool bulk = request.request_class() == v1::REQUEST_CLASS_BULK;
    ASSERT_EQ(request.links_size(), bulk ? 10 : 4);
  }
  ASSERT_EQ(sent.size(), 2);
  EXPECT_EQ(json["classes"]["bulk"]["sent"], sent[v1::REQUEST_CLASS_BULK]);
  EXPECT_EQ(json["classes"]["interactive"]["sent"],
            sent[v1::REQUEST_CLASS_INTERACTIVE]);
  EXPECT_EQ(json["links"], 10 * sent[v1::REQUEST_CLASS_BULK] +
                               4 * sent[v1::REQUEST_CLASS_INTERACTIVE]);
  EXPECT_NEAR(
      json["links_per_second"].get<double>(),
      json["classes"]["bulk"]["links_per_second"].get<double>() +
          json["classes"]["interactive"]["links_per_second"].get<double>(),
      1e-6);
  for (const BenchFormat format : {BenchFormat::kTable, BenchFormat::kHtml}) {
    options_.format = format;
    EXPECT_THAT(Run().results, HasSubstr("bulk share 0.25 of 10 links"));
  }
}

// The seed decides the class of each call, whatever the time it is sent.
TEST(PredictRequestsTest, TheShareOfBulkIsWhatWasAsked) {
  BenchOptions options;
  options.bulk_share = 0.1;
  options.bulk_links_per_rpc = 7;
  const std::vector<LinkQuery> links = {Query("a", "r", "b")};
  const LoadRequests requests(links, {}, options);
  const LoadRequests same(links, {}, options);
  options.seed = 2;
  const LoadRequests others(links, {}, options);
  int bulk = 0, different = 0;
  for (uint64_t number = 0; number < 20000; ++number) {
    const auto picked = requests.Pick(number);
    const bool is_bulk = picked.load_class == LoadClass::kBulk;
    ASSERT_EQ(picked.links, is_bulk ? 7 : 1);
    ASSERT_EQ(picked.load_class, same.Pick(number).load_class);
    bulk += is_bulk;
    different += picked.load_class != others.Pick(number).load_class;
  }
  EXPECT_NEAR(bulk, 2000, 5 * 42);  // five standard deviations
  EXPECT_GT(different, 1000);
}

TEST_F(BenchCommandTest, RequestsTravelOnStreams) {
  UseLinks("r a b\nr c d\n");
  options_.streams = 2;
  options_.connections = 2;
  options_.concurrency = {6};
  options_.links_per_rpc = 1;
  const Json json = RunJson();
  const int64_t sent = json["sent"];
  EXPECT_GE(sent, 6);
  EXPECT_EQ(sent, static_cast<int64_t>(server_.requests().size()));
  EXPECT_EQ(json["answered"], sent);
  EXPECT_EQ(json["links"], sent);
  EXPECT_EQ(json["options"]["streams"], 2);
  EXPECT_EQ(json["max_outstanding"], 6);
  EXPECT_EQ(json["server"], nullptr);  // a stream has no times per message
  EXPECT_EQ(server_.connections(), 3);
}

TEST_F(BenchCommandTest, AnOpenLoopMayUseStreams) {
  options_.streams = 2;
  options_.concurrency = {};
  options_.rates = {300};
  const Json json = RunJson();
  EXPECT_EQ(json["sent"], static_cast<int64_t>(server_.requests().size()));
  EXPECT_EQ(json["failed"], 0);
}

// A broken stream fails the calls on it, and the next call opens it again.
TEST_F(BenchCommandTest, ABrokenStreamFailsItsCallsOnly) {
  options_.streams = 1;
  options_.concurrency = {1};
  server_.SetBeforeAnswer(
      [this, n = std::make_shared<int>(0)](const v1::PredictLinksRequest&) {
        if (++*n == 3)
          server_.FailNext({grpc::Status(grpc::StatusCode::ABORTED, "broken")});
      });
  const Outcome outcome = Run();
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  const Json json = Json::parse(outcome.results);
  EXPECT_EQ(json["errors"], Json({{"ABORTED", 1}}));
  EXPECT_EQ(json["sent"], json["answered"].get<int64_t>() + 1);
  EXPECT_GT(json["answered"], 3);
}

TEST_F(BenchCommandTest, AnOpenLoopTellsItsLateness) {
  options_.concurrency = {};
  options_.rates = {200};
  const Json json = RunJson();
  EXPECT_EQ(json["sent"], static_cast<int64_t>(server_.requests().size()));
  EXPECT_EQ(json["options"]["loop"], "open");
  EXPECT_EQ(json["options"]["rate"], 200);
  EXPECT_EQ(json["options"]["max_outstanding"], 10000);
  EXPECT_GE(json["lateness_seconds"]["max"], json["lateness_seconds"]["p99"]);
  EXPECT_GE(json["latency_seconds"]["max"], json["lateness_seconds"]["p50"]);
}

TEST_F(BenchCommandTest, RequestsAskForTheLinksOfTheFileInTurn) {
  UseLinks("r a b\nr c d\ns e f\n");
  options_.links_per_rpc = 2;
  options_.concurrency = {1};
  options_.explanation = "context";
  client_.scorer = "ends";
  RunJson();
  const auto requests = server_.requests();
  ASSERT_GE(requests.size(), 3);
  const char* const expected[][2] = {{"a", "c"}, {"e", "a"}, {"a", "c"}};
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(requests[i].links_size(), 2);
    EXPECT_EQ(requests[i].links(0).source().name(), expected[i][0]);
    EXPECT_EQ(requests[i].links(1).source().name(), expected[i][1]);
    EXPECT_EQ(requests[i].explanation_level(), v1::EXPLANATION_LEVEL_CONTEXT);
    EXPECT_EQ(requests[i].scorer(), "ends");
  }
  EXPECT_EQ(requests[1].links(0).relation(), "s");
}

TEST_F(BenchCommandTest, DrawnLinksAreByKeyAndDecidedByTheSeed) {
  options_.concurrency = {1};
  options_.links_per_rpc = 50;  // all of them
  const auto first_request = [&](uint64_t seed) {
    options_.seed = seed;
    const size_t before = server_.requests().size();
    EXPECT_EQ(RunJson()["options"]["different_links"], 50);
    return server_.requests()[before];
  };
  const v1::PredictLinksRequest request = first_request(1);
  EXPECT_EQ(request.SerializeAsString(), first_request(1).SerializeAsString());
  EXPECT_NE(request.SerializeAsString(), first_request(2).SerializeAsString());
  for (int i = 0; i < request.links_size(); i += 2) {
    const v1::LinkRef& link = request.links(i);
    EXPECT_EQ(link.relation(), "depends");
    EXPECT_TRUE(absl::StartsWith(link.target().key(), "neighbor"));
    // The twin: the same link with another target of that type.
    const v1::LinkRef& twin = request.links(i + 1);
    EXPECT_EQ(twin.source().key(), link.source().key());
    EXPECT_EQ(twin.relation(), link.relation());
    EXPECT_FALSE(absl::StartsWith(twin.target().key(), "neighbor"));
  }
}

TEST_F(BenchCommandTest, CallsAreSpreadOverConnections) {
  options_.connections = 3;
  RunJson();
  // The fourth is the connection that asks for the model.
  EXPECT_EQ(server_.connections(), 4);
}

TEST_F(BenchCommandTest, FailedLinksAreCountedByCode) {
  UseLinks("r a b\nr unknown b\n");
  const Outcome outcome = Run();
  EXPECT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.results);
  EXPECT_EQ(json["links"], 2 * json["sent"].get<int64_t>());
  EXPECT_EQ(json["link_errors"]["NOT_FOUND"], json["links"]);
  EXPECT_THAT(outcome.messages, HasSubstr("no node has the key or name"));
}

TEST_F(BenchCommandTest, ALoadWithoutAnyScoreFails) {
  UseLinks("r unknown b\n");
  EXPECT_EQ(Run().status, 69);
}

TEST_F(BenchCommandTest, AReplyThatContradictsItselfIsAnError) {
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    reply->mutable_results()->RemoveLast();
  });
  const Outcome outcome = Run();
  EXPECT_EQ(outcome.status, 64 + 13);
  const Json json = Json::parse(outcome.results);
  EXPECT_EQ(json["answered"], 0);
  EXPECT_EQ(json["errors"]["INTERNAL"], json["sent"]);
  EXPECT_THAT(outcome.messages, HasSubstr("answered 3 links of 4"));
}

TEST_F(BenchCommandTest, ACallThatFailsIsNotTriedAgain) {
  UseLinks("r a b\n");
  server_.SetBeforeAnswer([&, once = std::make_shared<bool>(true)](
                              const v1::PredictLinksRequest&) {
    if (!*once) return;
    *once = false;
    server_.FailNext({RetryAfter(grpc::RESOURCE_EXHAUSTED, absl::Seconds(5))});
  });
  options_.concurrency = {1};
  const Outcome outcome = Run();
  EXPECT_EQ(outcome.status, 0);
  const Json json = Json::parse(outcome.results);
  EXPECT_EQ(json["errors"], Json({{"RESOURCE_EXHAUSTED", 1}}));
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["sent"], static_cast<int64_t>(server_.requests().size()));
  EXPECT_GT(json["error_latency_seconds"]["max"], 0);
  EXPECT_EQ(json["rejected_latency_seconds"], json["error_latency_seconds"]);
}

TEST_F(BenchCommandTest, ASignalEndsTheLoadWithWhatWasMeasured) {
  options_.duration = absl::Hours(1);
  server_.SetBeforeAnswer(
      [once = std::make_shared<bool>(true)](const v1::PredictLinksRequest&) {
        if (*once) std::raise(SIGINT);
        *once = false;
      });
  options_.concurrency = {1, 2};
  const Json json = RunJson();  // one object: the second load is left out
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_LT(json["measured_seconds"], 3600);
  EXPECT_EQ(json["answered"], json["sent"]);
}

TEST_F(BenchCommandTest, SeveralLoadsAreRowsOfTheTable) {
  options_.format = BenchFormat::kTable;
  options_.concurrency = {1, 2};
  const Outcome outcome = Run();
  EXPECT_THAT(outcome.results, HasSubstr("bundle toy"));
  EXPECT_THAT(outcome.results, HasSubstr("links per RPC 4"));
  EXPECT_THAT(outcome.results, HasSubstr("\n1 at once "));
  EXPECT_THAT(outcome.results, HasSubstr("\n2 at once "));
}

TEST_F(BenchCommandTest, WithoutAServerItSaysSo) {
  {
    const FakeLinkServer gone;
    client_.connection.server = gone.address();
  }
  client_.retry.max_attempts = 1;
  EXPECT_EQ(Run().status, 64 + 14);
}

TEST_F(BenchCommandTest, AMalformedListIsUsage) {
  UseLinks("r\n");
  const Outcome outcome = Run();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.messages,
              HasSubstr("links.tsv: a line of a link file has two columns"));
}

// The elements that a page leaves open, the outermost first. When an element
// closes in the wrong order, that element alone.
std::vector<std::string> OpenElements(const std::string& page) {
  const std::set<std::string> empty = {"meta", "!doctype"};
  std::vector<std::string> open;
  for (size_t at = page.find('<'); at != std::string::npos;
       at = page.find('<', at + 1)) {
    const size_t end = page.find('>', at);
    const std::string tag = page.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /\n", 1));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return {tag};
      open.pop_back();
    } else if (empty.count(name) == 0 && tag.back() != '/') {
      open.push_back(name);
    }
    at = end;
  }
  return open;
}

TEST_F(BenchCommandTest, ThePageIsWholeAndNeedsNothingElse) {
  UseLinks("r <a>&\"b b\nr unknown b\n");
  options_.format = BenchFormat::kHtml;
  options_.concurrency = {1, 2, 3};
  const Outcome outcome = Run();
  ASSERT_EQ(outcome.status, 0) << outcome.messages;
  EXPECT_THAT(OpenElements(outcome.results), ElementsAre());
  EXPECT_THAT(outcome.results, HasSubstr("<title>Load on a slice server"));
  EXPECT_THAT(outcome.results,
              HasSubstr("aria-label=\"Latency and throughput"));
  EXPECT_THAT(outcome.results, HasSubstr("<td>3&#160;at&#160;once</td>"));
  EXPECT_THAT(outcome.results, HasSubstr("1 at once, failed links: NOT_FOUND"));
  for (const char* outside : {"http:", "https:", "src=", "href=", "<script"})
    EXPECT_THAT(outcome.results, Not(HasSubstr(outside)));
}

}  // namespace
}  // namespace slice
