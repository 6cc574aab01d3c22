#include "client/ordered_scoring.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"
#include "tests/testing/fake_clock.h"
#include "tests/testing/fake_link_server.h"

namespace slice {
namespace {

LinkQuery Numbered(size_t i) {
  return Query(absl::StrCat("s", i), "r", absl::StrCat("t", i));
}

class LinkPipelineTest : public testing::Test {
 protected:
  FakeLinkServer server_;
  std::unique_ptr<LinkClient> client_ = Connected(OptionsFor(server_));
};

// A server that is too slow for requests of more than `most` links.
std::function<grpc::Status(const v1::PredictLinksRequest&)> TooSlowAbove(
    int most) {
  return [most](const v1::PredictLinksRequest& request) {
    return request.links_size() <= most
               ? grpc::Status::OK
               : grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "too slow");
  };
}

// The number of the chunk that a request carries.
size_t ChunkOf(const v1::PredictLinksRequest& request, size_t chunk_links) {
  return std::stoul(request.links(0).source().name().substr(1)) / chunk_links;
}

TEST_F(LinkPipelineTest, KeepsTheOrderWhenAnswersOvertakeEachOther) {
  // The answer to the first of every three chunks waits for the other two.
  Mutex mutex;
  CondVar changed;
  std::vector<bool> answered(100);
  server_.SetBeforeAnswer([&](const v1::PredictLinksRequest& request) {
    const size_t chunk = ChunkOf(request, 7);
    MutexLock lock(&mutex);
    while (chunk % 3 == 0 && chunk < 12 &&
           !(answered[chunk + 1] && answered[chunk + 2]))
      changed.Wait(&mutex);
    answered[chunk] = true;
    changed.SignalAll();
  });
  std::vector<float> scores;
  const absl::Status status =
      ScoreInOrder(*client_, {.chunk_links = 7, .calls_in_flight = 3}, 100,
                   Numbered, [&](size_t first, const ScoredLinks& scored) {
                     EXPECT_EQ(first, scores.size());
                     for (const ScoredLink& link : scored.links)
                       scores.push_back(link.probability);
                     return absl::OkStatus();
                   });
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_EQ(scores.size(), 100);
  for (size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(scores[i], FakeLinkServer::Probability(absl::StrCat("s", i), "r",
                                                     absl::StrCat("t", i)));
  }
}

TEST_F(LinkPipelineTest, CutsTheLinksIntoChunks) {
  ASSERT_TRUE(
      ScoreInOrder(*client_, {.chunk_links = 512}, 1100, Numbered,
                   [](size_t, const ScoredLinks&) { return absl::OkStatus(); })
          .ok());
  std::vector<int> sizes;
  for (const auto& request : server_.requests())
    sizes.push_back(request.links_size());
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes, (std::vector<int>{76, 512, 512}));
}

TEST_F(LinkPipelineTest, NeverHasMoreCallsUnderWayThanAllowed) {
  Mutex mutex;
  CondVar changed;
  int under_way = 0;
  int most = 0;
  server_.SetBeforeAnswer([&](const v1::PredictLinksRequest&) {
    MutexLock lock(&mutex);
    most = std::max(most, ++under_way);
    changed.SignalAll();
    // Waits long enough for a wrong third call to come.
    changed.WaitFor(&mutex, absl::Milliseconds(1));
    --under_way;
  });
  ASSERT_TRUE(
      ScoreInOrder(*client_, {.chunk_links = 1, .calls_in_flight = 2}, 40,
                   Numbered,
                   [](size_t, const ScoredLinks&) { return absl::OkStatus(); })
          .ok());
  EXPECT_LE(most, 2);
  EXPECT_EQ(server_.requests().size(), 40);
}

TEST_F(LinkPipelineTest, EndsAtTheFirstFailedChunk) {
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    // The answer to the chunk of link 20 has too few results.
    if (reply->results(0).source().name() == "s20") reply->clear_results();
  });
  size_t accepted = 0;
  const absl::Status status =
      ScoreInOrder(*client_, {.chunk_links = 10, .calls_in_flight = 4}, 1000,
                   Numbered, [&](size_t first, const ScoredLinks& scored) {
                     accepted += scored.links.size();
                     return absl::OkStatus();
                   });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(accepted, 20);
  EXPECT_LE(server_.requests().size(), 3 + 4);
}

TEST_F(LinkPipelineTest, EndsWhenAnAnswerIsRefused) {
  const absl::Status status =
      ScoreInOrder(*client_, {.chunk_links = 10, .calls_in_flight = 2}, 1000,
                   Numbered, [&](size_t, const ScoredLinks&) {
                     return absl::CancelledError("enough");
                   });
  EXPECT_EQ(status, absl::CancelledError("enough"));
  EXPECT_LE(server_.requests().size(), 1 + 2);
}

// Scores the links and checks that each has one answer, in order.
void ExpectAllScored(const LinkClient& client, const PipelineOptions& options,
                     size_t count) {
  size_t next = 0;
  const absl::Status status = ScoreInOrder(
      client, options, count, Numbered,
      [&](size_t first, const ScoredLinks& scored) {
        EXPECT_EQ(first, next);
        for (const ScoredLink& link : scored.links) {
          EXPECT_EQ(link.probability,
                    FakeLinkServer::Probability(absl::StrCat("s", next), "r",
                                                absl::StrCat("t", next)));
          ++next;
        }
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(next, count);
}

TEST_F(LinkPipelineTest, AsksASlowServerForLessAtATime) {
  for (const int most : {100, 7, 1}) {
    server_.SetOutcome(TooSlowAbove(most));
    ExpectAllScored(*client_, {.chunk_links = 128, .calls_in_flight = 3}, 500);
  }
}

TEST_F(LinkPipelineTest, AsksAFullServerForLessAtATime) {
  server_.SetOutcome([](const v1::PredictLinksRequest& request) {
    return request.links_size() <= 20
               ? grpc::Status::OK
               : RetryAfter(grpc::StatusCode::RESOURCE_EXHAUSTED,
                            absl::Milliseconds(1));
  });
  ExpectAllScored(*client_, {.chunk_links = 64, .calls_in_flight = 2}, 300);
}

TEST_F(LinkPipelineTest, CallsGrowAgainOnceTheServerIsQuick) {
  // The server is too slow in the first twenty calls, and quick after them.
  Mutex mutex;
  int calls = 0;
  server_.SetOutcome([&](const v1::PredictLinksRequest& request) {
    MutexLock lock(&mutex);
    return ++calls <= 20 ? TooSlowAbove(8)(request) : grpc::Status::OK;
  });
  ExpectAllScored(*client_, {.chunk_links = 64, .calls_in_flight = 2}, 4000);
  std::vector<int> sizes;
  for (const auto& request : server_.requests())
    sizes.push_back(request.links_size());
  ASSERT_GT(sizes.size(), 20);
  EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 8);
  EXPECT_EQ(*std::max_element(sizes.begin() + 20, sizes.end()), 64);
}

TEST_F(LinkPipelineTest, CallsThatTakeLongDoNotGrow) {
  FakeClock clock;
  server_.SetOutcome(TooSlowAbove(8));
  server_.SetBeforeAnswer(
      [&](const v1::PredictLinksRequest&) { clock.Advance(absl::Seconds(5)); });
  size_t smallest = 64;
  PipelineOptions options{.chunk_links = 64, .calls_in_flight = 1};
  options.clock = &clock;
  options.resized = [&](size_t links) {
    EXPECT_LT(links, smallest);
    smallest = links;
  };
  ExpectAllScored(*client_, options, 200);
  EXPECT_EQ(smallest, 8);
  EXPECT_EQ(server_.requests().size(), 3 + 200 / 8);
}

TEST_F(LinkPipelineTest, ALinkThatIsTooSlowAloneFailsAlone) {
  server_.SetOutcome([](const v1::PredictLinksRequest& request) {
    for (const v1::LinkRef& link : request.links()) {
      if (link.source().name() == "s33") return TooSlowAbove(0)(request);
    }
    return grpc::Status::OK;
  });
  std::vector<absl::StatusCode> codes;
  const absl::Status status =
      ScoreInOrder(*client_, {.chunk_links = 16, .calls_in_flight = 2}, 100,
                   Numbered, [&](size_t, const ScoredLinks& scored) {
                     EXPECT_EQ(scored.from.bundle_id, "toy");
                     for (const ScoredLink& link : scored.links)
                       codes.push_back(link.status.code());
                     return absl::OkStatus();
                   });
  EXPECT_TRUE(status.ok()) << status;
  std::vector<absl::StatusCode> expected(100, absl::StatusCode::kOk);
  expected[33] = absl::StatusCode::kDeadlineExceeded;
  EXPECT_EQ(codes, expected);
}

TEST_F(LinkPipelineTest, EndsWhenNoLinkIsAnsweredInTime) {
  server_.SetOutcome(TooSlowAbove(0));
  size_t accepted = 0;
  const absl::Status status = ScoreInOrder(
      *client_, {.chunk_links = 4, .calls_in_flight = 1, .max_lost_links = 5},
      100, Numbered, [&](size_t, const ScoredLinks& scored) {
        accepted += scored.links.size();
        return absl::OkStatus();
      });
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(accepted, 4);
  EXPECT_EQ(server_.requests().size(), 2 + 5);
}

TEST_F(LinkPipelineTest, ALongListIsBulkWorkInCallsOfAnySize) {
  server_.SetOutcome(TooSlowAbove(100));
  ExpectAllScored(*client_, {}, 1000);
  for (const auto& request : server_.requests())
    EXPECT_EQ(request.request_class(), v1::REQUEST_CLASS_BULK);
}

TEST_F(LinkPipelineTest, AShortListIsWhatTheServerTakesItFor) {
  ExpectAllScored(*client_, {}, 64);
  EXPECT_EQ(server_.requests().at(0).request_class(),
            v1::REQUEST_CLASS_UNSPECIFIED);
}

TEST_F(LinkPipelineTest, ScoresNothingWithoutLinks) {
  EXPECT_TRUE(
      ScoreInOrder(*client_, {}, 0, Numbered, [](size_t, const ScoredLinks&) {
        ADD_FAILURE() << "called";
        return absl::OkStatus();
      }).ok());
  EXPECT_TRUE(server_.requests().empty());
}

}  // namespace
}  // namespace slice
