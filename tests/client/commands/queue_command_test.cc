#include "client/commands/queue_command.h"

#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/client/test_client.h"
#include "tests/testing/fake_link_server.h"

namespace slice {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char kState[] = R"pb(
  queues {
    stage: "context"
    interactive { links: 3 cost: 39 clients: 2 }
    bulk { links: 1500 cost: 1500 clients: 1 }
    oldest_age_seconds: 0.25
    next_batch {
      interactive_links: 3
      bulk_links: 1
      dropped_links: 2
      explained: true
      earliest_deadline_seconds: 1.5
    }
  }
  queues {
    stage: "model"
    interactive {}
    bulk {}
    next_batch {}
  }
  links: 1503
  bytes: 123456
  max_links: 8192
  max_bytes: 268435456
  predicted_wait_interactive_seconds: 0.002
  predicted_wait_bulk_seconds: 0.125
  shed {
    age_seconds: 4
    reason: "too_late"
    request_class: REQUEST_CLASS_BULK
    links: 1000
    predicted_wait_seconds: 2.5
  }
  shed {
    age_seconds: 61
    reason: "queue_full"
    request_class: REQUEST_CLASS_INTERACTIVE
    links: 7
    predicted_wait_seconds: 0.5
  }
)pb";

class QueueCommandTest : public testing::Test {
 protected:
  void SetState(const char* text) {
    v1::GetQueueStateResponse state;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &state));
    server_.SetQueueState(state);
  }

  int Run(bool terminal = false) {
    std::ostringstream results, messages;
    TextStyle style;
    style.terminal = terminal;
    const int status = RunQueue(*Connected(OptionsFor(server_)), shed_limit_,
                                {results, messages, style, json_});
    results_ = results.str();
    messages_ = messages.str();
    return status;
  }

  FakeLinkServer server_;
  size_t shed_limit_ = 10;
  bool json_ = false;
  std::string results_;
  std::string messages_;
};

TEST_F(QueueCommandTest, TellsWhatWaitsAndWhatWasRefused) {
  SetState(kState);
  ASSERT_EQ(Run(), 0) << messages_;
  EXPECT_EQ(results_,
            "1503 of at most 8192 links, 123456 of at most 268435456 "
            "bytes; predicted wait: interactive 2 ms, bulk 125 ms\n"
            "\n"
            "context\t3 (39 scorings)\t1500\t2 + 1\t250 ms\t"
            "3 interactive, 1 bulk, 2 dropped, explained\t1.5 s\n"
            "model\t0\t0\t0 + 0\t0\tnothing\t0\n"
            "\n"
            "4 s ago\ttoo_late\tbulk\t1000\t2.5 s\n"
            "61 s ago\tqueue_full\tinteractive\t7\t500 ms\n");
}

TEST_F(QueueCommandTest, DrawsTablesOnATerminal) {
  SetState(kState);
  ASSERT_EQ(Run(true), 0) << messages_;
  EXPECT_THAT(results_, HasSubstr("1,503 of at most 8,192 links"));
  EXPECT_THAT(results_, HasSubstr("\nstage        interactive  bulk"));
  EXPECT_THAT(results_, HasSubstr("\n refused  reason"));
}

TEST_F(QueueCommandTest, ListsAtMostTheLimitOfRefusedRequests) {
  SetState(kState);
  shed_limit_ = 1;
  ASSERT_EQ(Run(), 0) << messages_;
  EXPECT_THAT(results_, HasSubstr("too_late"));
  EXPECT_THAT(results_, Not(HasSubstr("queue_full")));
}

TEST_F(QueueCommandTest, AnIdleServerIsSaidToBe) {
  SetState("queues { stage: \"context\" } max_links: 8192");
  ASSERT_EQ(Run(), 0) << messages_;
  EXPECT_THAT(results_, HasSubstr("nothing was refused"));
}

TEST_F(QueueCommandTest, JsonHasEverything) {
  SetState(kState);
  json_ = true;
  ASSERT_EQ(Run(), 0) << messages_;
  const Json json = Json::parse(results_);
  EXPECT_EQ(json["links"], 1503);
  EXPECT_EQ(json["max_bytes"], 268435456);
  EXPECT_EQ(json["predicted_wait_seconds"]["bulk"], 0.125);
  const Json& queue = json["queues"][0];
  EXPECT_EQ(queue["stage"], "context");
  EXPECT_EQ(queue["interactive"],
            Json({{"links", 3}, {"cost", 39}, {"clients", 2}}));
  EXPECT_EQ(queue["oldest_age_seconds"], 0.25);
  EXPECT_EQ(queue["next_batch"], Json({{"interactive_links", 3},
                                       {"bulk_links", 1},
                                       {"dropped_links", 2},
                                       {"explained", true},
                                       {"earliest_deadline_seconds", 1.5}}));
  EXPECT_EQ(json["queues"][1]["bulk"]["links"], 0);
  EXPECT_EQ(json["shed"][0], Json({{"age_seconds", 4.0},
                                   {"reason", "too_late"},
                                   {"class", "bulk"},
                                   {"links", 1000},
                                   {"predicted_wait_seconds", 2.5}}));
  EXPECT_EQ(json["shed"][1]["class"], "interactive");
}

TEST_F(QueueCommandTest, TheWrongListenerSaysWhichIsRight) {
  EXPECT_EQ(Run(), 64 + 12);
  EXPECT_THAT(messages_, HasSubstr("UNIMPLEMENTED"));
  EXPECT_THAT(messages_, HasSubstr("--admin-listen"));
  EXPECT_EQ(results_, "");
}

}  // namespace
}  // namespace slice
