#include "server/pipeline/link_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "server/grpc_status.h"
#include "server/rpc/response_builder.h"
#include "tests/testing/fake_clock.h"
#include "tests/testing/fake_scorer.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

v1::LinkRef Ref(const std::string& source, const std::string& relation,
                const std::string& target) {
  v1::LinkRef ref;
  ref.mutable_source()->set_key(source);
  ref.set_relation(relation);
  ref.mutable_target()->set_key(target);
  return ref;
}

// A job that shows when and how often it was answered.
class TestJob final : public LinkJob {
 public:
  TestJob(std::unique_ptr<v1::PredictLinksRequest> request,
          std::shared_ptr<const ServedModel> model, absl::Time now,
          absl::Duration timeout)
      : LinkJob(request.get(), std::move(model),
                JobOrigin{CallOrigin(), now, now + timeout}),
        owned_request_(std::move(request)) {}

  size_t Reply() override {
    ++replies;
    answered_.set_value();
    return 0;
  }
  void WaitForReply() { answered_.get_future().wait(); }

  std::atomic<int> replies{0};

 private:
  std::unique_ptr<v1::PredictLinksRequest> owned_request_;
  std::promise<void> answered_;
};

// Looks at dropped items at the moment it hears of them.
class DropObserver final : public ScheduleObserver {
 public:
  void Arrived(const RequestedWork&, const ServiceOrder&,
               std::span<WorkItem* const>) override {}
  uint64_t BatchStarted(WorkStage, const WorkBatch& batch) override {
    for (const WorkItem* item : batch.dropped) {
      ++dropped;
      if (!static_cast<const LinkItem*>(item)->status.ok()) ++ended;
    }
    return 0;
  }
  void BatchEnded(uint64_t) override {}

  std::atomic<int> dropped = 0;
  std::atomic<int> ended = 0;  // dropped items that had ended by then
};

class LinkPipelineTest : public ::testing::Test {
 protected:
  LinkPipelineTest() : fake_(MakeFakeModel(ToySnapshot())) {
    options_.executors = 1;
    options_.context_workers = 2;
    options_.max_batch_size = 8;
  }
  ~LinkPipelineTest() override { fake_.scorer->Release(); }

  LinkPipeline& pipeline() {
    if (pipeline_ == nullptr) {
      pipeline_ = std::make_unique<LinkPipeline>(options_, &quotas_, &metrics_,
                                                 &clock_, observer_);
    }
    return *pipeline_;
  }

  // Jobs live as long as the pipeline.
  TestJob* MakeJob(const std::vector<v1::LinkRef>& links,
                   absl::Duration timeout = absl::Seconds(5),
                   bool explain = false,
                   std::shared_ptr<const ServedModel> model = nullptr,
                   const std::string& scorer = "") {
    auto request = std::make_unique<v1::PredictLinksRequest>();
    request->set_scorer(scorer);
    for (const auto& link : links) *request->add_links() = link;
    if (explain) request->set_explanation_level(explanation_level_);
    request->set_prior(prior_);
    jobs_.push_back(std::make_unique<TestJob>(
        std::move(request), model == nullptr ? fake_.served : model,
        clock_.Now(), timeout));
    return jobs_.back().get();
  }

  // A job that asks what if curl enhanced `target` too.
  TestJob* MakeImaginingJob(const std::string& target,
                            const std::vector<v1::LinkRef>& links = {
                                Ref("curl", "depends", "libssl3"),
                                Ref("curl", "depends", "libcurl4")}) {
    auto request = std::make_unique<v1::PredictLinksRequest>();
    for (const auto& link : links) *request->add_links() = link;
    v1::LinkChange* link =
        request->mutable_what_if()->add_changes()->mutable_add_link();
    link->mutable_source()->set_key("curl");
    link->set_relation("enhances");
    link->mutable_target()->set_key(target);
    jobs_.push_back(std::make_unique<TestJob>(std::move(request), fake_.served,
                                              clock_.Now(), absl::Seconds(5)));
    return jobs_.back().get();
  }

  JobOrigin Soon() const {
    return {CallOrigin(), clock_.Now(), clock_.Now() + absl::Seconds(1)};
  }

  // Returns when the executor waits in the scorer and takes no more links.
  TestJob* BlockExecutor() {
    fake_.scorer->Hold();
    TestJob* job = MakeJob({Ref("curl", "depends", "lonely")}, absl::Hours(1));
    EXPECT_TRUE(pipeline().Start(job).ok());
    fake_.scorer->WaitForHeldCalls(1);
    return job;
  }

  Link LinkOf(const std::string& source, const std::string& relation,
              const std::string& target) {
    return ToyLink(*fake_.served->snapshot, source, relation, target);
  }

  double Metric(const std::string& sample) {
    const std::string text = metrics_.Render();
    const size_t at = text.find("\n" + sample + " ");
    if (at == std::string::npos) return -1;
    return std::stod(text.substr(at + sample.size() + 2));
  }

  FakeClock clock_;
  ScheduleObserver* observer_ = nullptr;
  ServerMetrics metrics_;
  ServerOptions options_;
  Quotas quotas_{QuotaLimits(), &clock_};
  FakeModel fake_;
  v1::ExplanationLevel explanation_level_ = v1::EXPLANATION_LEVEL_CONTEXT;
  double prior_ = 0;  // of the requests; 0: that of valid
  std::vector<std::unique_ptr<TestJob>> jobs_;
  std::unique_ptr<LinkPipeline> pipeline_;
};

TEST_F(LinkPipelineTest, ALinkIsChargedToItsAccountOnceItIsTakenIn) {
  QuotaLimits limits;
  limits.of(QuotaKind::kLinks) = 2;
  quotas_.SetLimits(limits);
  TestJob* const first = MakeJob({Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(first).ok());
  first->WaitForReply();
  EXPECT_TRUE(pipeline().CheckRoom({}, Soon()).ok());
  ASSERT_TRUE(pipeline()
                  .Start(MakeJob({Ref("curl", "depends", "libssl3"),
                                  Ref("curl", "depends", "libssl3")}))
                  .ok());
  const absl::Status refused =
      pipeline().Start(MakeJob({Ref("curl", "depends", "libssl3")}));
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("its quota of 2 links"));
  EXPECT_EQ(pipeline().CheckRoom({}, Soon()).code(), refused.code());
  EXPECT_EQ(quotas_.Usage().at("anonymous").charged[0], 3);
  clock_.Advance(absl::Seconds(3));
  EXPECT_TRUE(pipeline().CheckRoom({}, Soon()).ok());
  EXPECT_EQ(Metric("slice_shed_total{reason=\"quota\"}"), 1);
}

TEST_F(LinkPipelineTest, AnAccountHasNoMoreLinksUnderWayThanItMay) {
  QuotaLimits limits;
  limits.links_under_way = 3;
  quotas_.SetLimits(limits);
  TestJob* const held = BlockExecutor();
  const v1::LinkRef link = Ref("curl", "depends", "libssl3");
  ASSERT_TRUE(pipeline().Start(MakeJob({link, link})).ok());
  const absl::Status refused = pipeline().Start(MakeJob({link}));
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("quota of 3 links under way"));
  EXPECT_EQ(Metric("slice_shed_total{reason=\"quota\"}"), 1);
  fake_.scorer->Release();
  held->WaitForReply();
  jobs_[1]->WaitForReply();
  pipeline().Close();
  EXPECT_EQ(pipeline().admission().items(), 0);
}

TEST_F(LinkPipelineTest, WithoutAQuotaForSearchesNoSimilarNamesAreSought) {
  QuotaLimits limits;
  limits.of(QuotaKind::kSearches) = 1;
  quotas_.SetLimits(limits);
  std::vector<std::string> messages;
  for (int i = 0; i < 3; ++i) {
    TestJob* const job = MakeJob({Ref("curk", "depends", "libssl3")});
    ASSERT_TRUE(pipeline().Start(job).ok());
    job->WaitForReply();
    messages.emplace_back(job->items()[0].status.message());
  }
  EXPECT_THAT(messages[0], HasSubstr("curl"));
  EXPECT_THAT(messages[1], ::testing::Not(HasSubstr("curl")));
  EXPECT_THAT(messages[1], HasSubstr("curk"));
}

TEST_F(LinkPipelineTest, EachJobIsReadByItsOwnScorer) {
  BlockExecutor();
  std::vector<TestJob*> jobs;
  for (const char* scorer : {"", "context", "ends", "structural"}) {
    jobs.push_back(MakeJob({Ref("curl", "depends", "libssl3")},
                           absl::Seconds(5), false, nullptr, scorer));
    ASSERT_TRUE(pipeline().Start(jobs.back()).ok());
  }
  fake_.scorer->Release();
  for (TestJob* job : jobs) job->WaitForReply();

  const Prediction prediction = jobs[0]->items()[0].prediction;
  const Scorer scorers[] = {Scorer::kContext, Scorer::kContext, Scorer::kEnds,
                            Scorer::kStructural};
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Prediction& read = jobs[i]->items()[0].prediction;
    EXPECT_EQ(read.logit, prediction.Logit(scorers[i], Question::kPlausible));
    EXPECT_EQ(read.logit_structural, prediction.logit_structural);
    v1::PredictLinksResponse response;
    ASSERT_TRUE(BuildPredictLinksResponse(*jobs[i], &response).ok());
    EXPECT_EQ(response.scorer(), ScorerName(scorers[i]));
    EXPECT_EQ(response.results(0).probability(), read.probability);
  }
  EXPECT_NE(jobs[0]->items()[0].prediction.logit,
            jobs[3]->items()[0].prediction.logit);
}

TEST_F(LinkPipelineTest, EveryLinkGetsItsOwnScore) {
  const std::vector<std::string> targets = {"libcurl4", "libssl3", "libssl-dev",
                                            "firefox",  "privoxy", "lonely"};
  std::vector<v1::LinkRef> links;
  for (int i = 0; i < 50; ++i) {
    links.push_back(Ref("curl", "depends", targets[i % targets.size()]));
  }
  TestJob* job = MakeJob(links);
  ASSERT_TRUE(pipeline().Start(job).ok());
  job->WaitForReply();
  EXPECT_TRUE(job->Outcome().ok());
  for (int i = 0; i < 50; ++i) {
    const LinkItem& item = job->items()[i];
    ASSERT_TRUE(item.status.ok()) << item.status;
    const Link link = LinkOf("curl", "depends", targets[i % targets.size()]);
    EXPECT_EQ(item.link, link);
    EXPECT_EQ(item.prediction.logit, FakePrediction(link).logit);
    EXPECT_LE(item.batch_size, options_.max_batch_size);
  }
  EXPECT_EQ(fake_.scorer->links().size(), 50);
  pipeline().Close();
  EXPECT_EQ(job->replies, 1);
  EXPECT_EQ(pipeline().admission().items(), 0);
}

// Links are encoded into memory that other links used before.
TEST_F(LinkPipelineTest, ALinkIsEncodedAsIfItWereTheFirst) {
  const std::vector<std::string> targets = {"libcurl4", "lonely", "libssl-dev",
                                            "firefox", "privoxy"};
  for (const bool explain : {false, true}) {
    std::vector<v1::LinkRef> links;
    for (int i = 0; i < 40; ++i) {
      links.push_back(Ref("curl", "depends", targets[i % targets.size()]));
    }
    TestJob* job = MakeJob(links, absl::Seconds(5), explain);
    ASSERT_TRUE(pipeline().Start(job).ok());
    job->WaitForReply();
    if (!explain) continue;  // these encodings went back to the pool
    for (const LinkItem& item : job->items()) {
      const EncodedLink fresh =
          fake_.served->encoder->Encode(*fake_.served->snapshot, item.link);
      EXPECT_EQ(item.encoded.link, fresh.link);
      EXPECT_EQ(item.encoded.pair_features, fresh.pair_features);
      EXPECT_TRUE(item.encoded.contexts == fresh.contexts);
    }
  }
}

TEST_F(LinkPipelineTest, AnAnswerThatIsKeptIsGivenAgain) {
  options_.result_cache_bytes = 1 << 20;
  const v1::LinkRef link = Ref("curl", "depends", "libcurl4");
  const auto answer = [&](bool explain, const std::string& scorer) {
    TestJob* job = MakeJob({link}, absl::Seconds(5), explain, nullptr, scorer);
    EXPECT_TRUE(pipeline().Start(job).ok());
    job->WaitForReply();
    EXPECT_TRUE(job->items()[0].status.ok());
    return job;
  };
  const LinkItem& first = answer(false, "")->items()[0];
  const LinkItem& again = answer(false, "")->items()[0];
  EXPECT_EQ(fake_.scorer->links().size(), 1) << "scored once";
  EXPECT_EQ(again.prediction.logits, first.prediction.logits);
  EXPECT_EQ(again.prediction.probability, first.prediction.probability);
  EXPECT_EQ(again.batch_size, 0);
  // A request for another scorer reads the same cached answer.
  const LinkItem& structural = answer(false, "structural")->items()[0];
  EXPECT_EQ(fake_.scorer->links().size(), 1);
  EXPECT_NE(structural.prediction.logit, first.prediction.logit);
  // The cache keeps answers with explanations apart.
  const LinkItem& explained = answer(true, "")->items()[0];
  EXPECT_EQ(fake_.scorer->links().size(), 2);
  const LinkItem& explained_again = answer(true, "")->items()[0];
  EXPECT_EQ(fake_.scorer->links().size(), 2);
  EXPECT_EQ(explained_again.attention.weights, explained.attention.weights);
  EXPECT_EQ(explained_again.contributions, explained.contributions);
  EXPECT_EQ(explained_again.encoded.contexts, explained.encoded.contexts);
  EXPECT_FALSE(explained_again.encoded.contexts.empty());
  EXPECT_EQ(Metric("slice_result_cache_lookups_total{result=\"hit\"}"), 3);
  EXPECT_EQ(Metric("slice_result_cache_lookups_total{result=\"miss\"}"), 2);
  EXPECT_GT(pipeline().results().bytes(), 0);
}

// Evidence is weighed by the scorer and the prior of its request.
TEST_F(LinkPipelineTest, AFullExplanationIsKeptForItsScorerAndPriorAlone) {
  options_.result_cache_bytes = 1 << 20;
  explanation_level_ = v1::EXPLANATION_LEVEL_FULL;
  const auto misses_after = [&](const std::string& scorer, double prior) {
    prior_ = prior;
    TestJob* job = MakeJob({Ref("curl", "depends", "libcurl4")},
                           absl::Seconds(5), true, nullptr, scorer);
    EXPECT_TRUE(pipeline().Start(job).ok());
    job->WaitForReply();
    EXPECT_TRUE(job->items()[0].status.ok()) << job->items()[0].status;
    return Metric("slice_result_cache_lookups_total{result=\"miss\"}");
  };
  EXPECT_EQ(misses_after("", 0), 1);
  EXPECT_EQ(misses_after("", 0), 1);
  EXPECT_EQ(misses_after("ends", 0), 2);
  EXPECT_EQ(misses_after("", 0.1), 3);
  EXPECT_EQ(misses_after("", 0.1), 3);
}

TEST_F(LinkPipelineTest, AFailureIsNotKept) {
  options_.result_cache_bytes = 1 << 20;
  for (int i = 0; i < 2; ++i) {
    TestJob* job = MakeJob({Ref("curl", "depends", "libcurl5")});
    ASSERT_TRUE(pipeline().Start(job).ok());
    job->WaitForReply();
    EXPECT_EQ(job->items()[0].status.code(), absl::StatusCode::kNotFound);
  }
  EXPECT_EQ(Metric("slice_result_cache_lookups_total{result=\"hit\"}"), 0);
}

TEST_F(LinkPipelineTest, ALinkThatCanRunInlineIsAnsweredAtOnce) {
  TestJob* job = MakeJob({Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().StartOrRun(job).ok());
  EXPECT_EQ(job->replies, 1);
  const LinkItem& item = job->items()[0];
  ASSERT_TRUE(item.status.ok()) << item.status;
  EXPECT_EQ(item.prediction.logit, FakePrediction(item.link).logit);
  EXPECT_EQ(item.link, LinkOf("curl", "depends", "libssl3"));
  EXPECT_EQ(item.batch_size, 1);
  EXPECT_EQ(pipeline().admission().items(), 0);

  TestJob* unknown = MakeJob({Ref("curl", "depends", "libssl4")});
  ASSERT_TRUE(pipeline().StartOrRun(unknown).ok());
  EXPECT_EQ(unknown->replies, 1);
  EXPECT_EQ(unknown->items()[0].status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(pipeline().admission().items(), 0);

  TestJob* cancelled = MakeJob({Ref("curl", "depends", "libcurl4")});
  cancelled->Cancel();
  ASSERT_TRUE(pipeline().StartOrRun(cancelled).ok());
  EXPECT_EQ(cancelled->Outcome().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(fake_.scorer->links().size(), 1);
  pipeline().Close();
  EXPECT_EQ(cancelled->replies, 1);
}

TEST_F(LinkPipelineTest, AWhatIfWithOneLinkIsAnsweredAtOnce) {
  const v1::LinkRef link = Ref("curl", "depends", "libssl3");
  TestJob* job = MakeImaginingJob("lonely", {link});
  ASSERT_TRUE(pipeline().StartOrRun(job).ok());
  EXPECT_EQ(job->replies, 1);
  EXPECT_TRUE(job->items()[0].status.ok()) << job->items()[0].status;
  EXPECT_EQ(job->graph().graph().link_count(),
            fake_.served->snapshot->link_count() + 1);
  EXPECT_EQ(pipeline().admission().items(), 0);

  TestJob* unknown = MakeImaginingJob("lonly", {link});
  ASSERT_TRUE(pipeline().StartOrRun(unknown).ok());
  EXPECT_EQ(unknown->replies, 1);
  EXPECT_EQ(unknown->items()[0].status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(pipeline().admission().items(), 0);
}

TEST_F(LinkPipelineTest, WhatHasCompanyOrCostsMoreIsLeftToTheWorkers) {
  const v1::LinkRef link = Ref("curl", "depends", "libssl3");
  BlockExecutor();  // a caller that runs its job would wait for the scorer
  std::vector<TestJob*> jobs = {MakeJob({link})};
  ASSERT_TRUE(pipeline().StartOrRun(jobs[0]).ok());
  EXPECT_EQ(jobs[0]->replies, 0);
  fake_.scorer->Release();
  jobs[0]->WaitForReply();
  while (pipeline().admission().items() > 0) std::this_thread::yield();

  for (const bool explain : {false, true}) {
    fake_.scorer->Hold();
    jobs.push_back(explain ? MakeJob({link}, absl::Seconds(5), true)
                           : MakeJob({link, link}));
    ASSERT_TRUE(pipeline().StartOrRun(jobs.back()).ok());
    EXPECT_EQ(jobs.back()->replies, 0);
    fake_.scorer->Release();
    jobs.back()->WaitForReply();
    while (pipeline().admission().items() > 0) std::this_thread::yield();
  }
  for (TestJob* job : jobs) EXPECT_TRUE(job->Outcome().ok());
}

TEST_F(LinkPipelineTest, AnUnknownNodeSpoilsItsLinkAlone) {
  TestJob* job = MakeJob({Ref("curl", "depends", "libcurl4"),
                          Ref("curl", "depends", "libcurl5"),
                          Ref("curl", "dependz", "libcurl4")});
  ASSERT_TRUE(pipeline().Start(job).ok());
  job->WaitForReply();
  EXPECT_TRUE(job->Outcome().ok());
  EXPECT_TRUE(job->items()[0].status.ok());
  EXPECT_EQ(job->items()[1].status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(job->items()[2].status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(fake_.scorer->links().size(), 1);
  EXPECT_EQ(Metric("slice_unknown_node_total"), 1);
  EXPECT_EQ(Metric("slice_unknown_relation_total"), 1);
}

// After its end an item may be deleted, and another one may get its address.
TEST_F(LinkPipelineTest, AnObserverSeesABatchBeforeItsItemsEnd) {
  DropObserver observer;
  observer_ = &observer;
  BlockExecutor();
  TestJob* late = MakeJob({Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(late).ok());
  while (pipeline().ModelQueue().classes[0].items < 1) {
    std::this_thread::yield();
  }
  clock_.Advance(absl::Minutes(1));
  fake_.scorer->Release();
  late->WaitForReply();
  EXPECT_EQ(late->Outcome().code(), absl::StatusCode::kDeadlineExceeded);
  pipeline().Close();
  EXPECT_EQ(observer.dropped, 1);
  EXPECT_EQ(observer.ended, 0);
}

TEST_F(LinkPipelineTest, ItemsThatExpireWhileWaitingNeverReachTheModel) {
  BlockExecutor();
  TestJob* late = MakeJob(
      {Ref("curl", "depends", "libssl3"), Ref("curl", "depends", "libcurl4")},
      absl::Seconds(1));
  TestJob* patient =
      MakeJob({Ref("firefox", "depends", "libssl3")}, absl::Minutes(1));
  ASSERT_TRUE(pipeline().Start(late).ok());
  ASSERT_TRUE(pipeline().Start(patient).ok());
  clock_.Advance(absl::Seconds(2));
  fake_.scorer->Release();
  late->WaitForReply();
  patient->WaitForReply();
  EXPECT_EQ(late->Outcome().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_TRUE(patient->Outcome().ok());
  const auto seen = fake_.scorer->links();
  EXPECT_EQ(seen.count(LinkOf("curl", "depends", "libssl3")), 0);
  EXPECT_EQ(seen.count(LinkOf("firefox", "depends", "libssl3")), 1);
  EXPECT_EQ(Metric("slice_expired_on_model_total"), 0);
  pipeline().Close();
}

TEST_F(LinkPipelineTest, CancelledItemsNeverReachTheModel) {
  BlockExecutor();
  TestJob* job = MakeJob({Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(job).ok());
  job->Cancel();
  fake_.scorer->Release();
  job->WaitForReply();
  EXPECT_EQ(job->Outcome().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(fake_.scorer->links().count(LinkOf("curl", "depends", "libssl3")),
            0);
  pipeline().Close();
}

TEST_F(LinkPipelineTest, AFullServerRefusesWithARetryDelay) {
  options_.max_queue_items = 6;
  BlockExecutor();
  TestJob* fits = MakeJob({2, Ref("curl", "depends", "libssl3")});
  TestJob* too_much = MakeJob({4, Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(fits).ok());
  const absl::Status refused = pipeline().Start(too_much);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  const google::rpc::Status wire = ToRpcStatus(refused);
  ASSERT_EQ(wire.details_size(), 1);
  google::rpc::RetryInfo retry;
  ASSERT_TRUE(wire.details(0).UnpackTo(&retry));
  EXPECT_GT(
      retry.retry_delay().seconds() * 1000000000 + retry.retry_delay().nanos(),
      0);
  fake_.scorer->Release();
  fits->WaitForReply();
  EXPECT_EQ(too_much->replies, 0);
  pipeline().Close();
  EXPECT_EQ(Metric("slice_shed_total{reason=\"queue_full\"}"), 4);
}

// Otherwise a client that reads nothing would hold many times what it asked
// for.
TEST_F(LinkPipelineTest, AJobTakesRoomForItsAnswer) {
  BlockExecutor();
  const size_t before = pipeline().admission().bytes();
  const std::vector<v1::LinkRef> links(100, Ref("curl", "depends", "libssl3"));
  TestJob* plain = MakeJob(links);
  TestJob* explained = MakeJob(links, absl::Seconds(5), /*explain=*/true);
  ASSERT_TRUE(pipeline().Start(plain).ok());
  const size_t of_plain = pipeline().admission().bytes() - before;
  ASSERT_TRUE(pipeline().Start(explained).ok());
  const size_t of_explained =
      pipeline().admission().bytes() - before - of_plain;
  EXPECT_GT(of_explained, of_plain + links.size() * 1000);
  fake_.scorer->Release();
  plain->WaitForReply();
  explained->WaitForReply();
  pipeline().Close();
  EXPECT_EQ(pipeline().admission().bytes(), 0);
}

// Otherwise a full queue would look like a server that stops.
TEST_F(LinkPipelineTest, HigherLimitsHoldForTheQueuesToo) {
  options_.max_queue_items = 6;
  BlockExecutor();
  pipeline().SetLimits(100, options_.max_queue_bytes);
  TestJob* large = MakeJob({40, Ref("curl", "depends", "libssl3")});
  const absl::Status started = pipeline().Start(large);
  ASSERT_TRUE(started.ok()) << started;
  fake_.scorer->Release();
  large->WaitForReply();
  EXPECT_TRUE(large->Outcome().ok());
  for (const LinkItem& item : large->items()) EXPECT_TRUE(item.status.ok());
  pipeline().Close();
}

TEST_F(LinkPipelineTest, RefusesWhatWouldBeLateAndRemembersIt) {
  TestJob* slow = MakeJob({Ref("curl", "depends", "libssl3")}, absl::Hours(1));
  // The fake clock stands still. This test makes the first batch take a second.
  fake_.scorer->Hold();
  ASSERT_TRUE(pipeline().Start(slow).ok());
  fake_.scorer->WaitForHeldCalls(1);
  clock_.Advance(absl::Seconds(1));
  fake_.scorer->Release();
  slow->WaitForReply();
  BlockExecutor();
  TestJob* late =
      MakeJob({2, Ref("curl", "depends", "libssl3")}, absl::Seconds(2));
  const absl::Status refused = pipeline().Start(late);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(std::string(refused.message()).find("deadline"), std::string::npos);
  const auto shed = pipeline().shed_log().Records();
  ASSERT_EQ(shed.size(), 1);
  EXPECT_EQ(shed[0].reason, ShedReason::kTooLate);
  EXPECT_EQ(shed[0].work.items, 2);
  TestJob* patient =
      MakeJob({2, Ref("curl", "depends", "libssl3")}, absl::Minutes(1));
  EXPECT_TRUE(pipeline().Start(patient).ok());
  fake_.scorer->Release();
  patient->WaitForReply();
  pipeline().Close();
  EXPECT_EQ(Metric("slice_shed_total{reason=\"too_late\"}"), 2);
}

// A bulk request of 300 links waits when an interactive link comes. The next
// batch answers the interactive link.
TEST_F(LinkPipelineTest, InteractiveLinksOvertakeBulkOnes) {
  fake_.scorer->Hold();
  TestJob* bulk = MakeJob({300, Ref("curl", "depends", "libssl3")});
  EXPECT_EQ(bulk->work().request_class, RequestClass::kBulk);
  ASSERT_TRUE(pipeline().Start(bulk).ok());
  fake_.scorer->WaitForHeldCalls(1);
  TestJob* one = MakeJob({Ref("firefox", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(one).ok());
  // The interactive link is on the model beside one batch of the bulk links.
  fake_.scorer->WaitForHeldCalls(2);
  EXPECT_EQ(pipeline().ModelQueue().classes[0].items, 0);
  fake_.scorer->Release();
  one->WaitForReply();
  bulk->WaitForReply();
  EXPECT_EQ(one->items()[0].batch_size, 1);
  EXPECT_TRUE(bulk->Outcome().ok());
}

TEST_F(LinkPipelineTest, DrainingRefusesNewJobsAndAnswersOldOnes) {
  TestJob* blocker = BlockExecutor();
  pipeline().StartDraining();
  TestJob* job = MakeJob({Ref("curl", "depends", "libssl3")});
  EXPECT_EQ(pipeline().Start(job).code(), absl::StatusCode::kUnavailable);
  fake_.scorer->Release();
  blocker->WaitForReply();
  EXPECT_TRUE(blocker->Outcome().ok());
}

TEST_F(LinkPipelineTest, CloseAnswersEveryAdmittedJob) {
  std::vector<TestJob*> jobs;
  for (int i = 0; i < 40; ++i) {
    jobs.push_back(MakeJob({5, Ref("curl", "depends", "libssl3")}));
    ASSERT_TRUE(pipeline().Start(jobs.back()).ok());
  }
  pipeline().Close();
  for (const TestJob* job : jobs) {
    EXPECT_EQ(job->replies, 1);
    EXPECT_TRUE(job->Outcome().ok());
  }
  EXPECT_EQ(fake_.scorer->links().size(), 200);
}

TEST_F(LinkPipelineTest, AFailingModelFailsTheLinksNotTheServer) {
  fake_.scorer->FailWith(absl::InternalError("no luck"));
  TestJob* job = MakeJob({Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(job).ok());
  job->WaitForReply();
  EXPECT_TRUE(job->Outcome().ok());
  EXPECT_EQ(job->items()[0].status.code(), absl::StatusCode::kInternal);
  fake_.scorer->FailWith(absl::OkStatus());
  TestJob* next = MakeJob({Ref("curl", "depends", "libssl3")});
  ASSERT_TRUE(pipeline().Start(next).ok());
  next->WaitForReply();
  EXPECT_TRUE(next->items()[0].status.ok());
}

TEST_F(LinkPipelineTest, ABatchNeverMixesModels) {
  const FakeModel other = MakeFakeModel(ToySnapshot(), "other", 10);
  BlockExecutor();
  std::vector<TestJob*> jobs;
  for (int i = 0; i < 20; ++i) {
    jobs.push_back(MakeJob({Ref("curl", "depends", "libssl3")},
                           absl::Seconds(5), false,
                           i % 2 == 0 ? fake_.served : other.served));
    ASSERT_TRUE(pipeline().Start(jobs.back()).ok());
  }
  fake_.scorer->Release();
  for (TestJob* job : jobs) job->WaitForReply();
  EXPECT_EQ(fake_.scorer->links().size(), 11);
  EXPECT_EQ(other.scorer->links().size(), 10);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(jobs[i]->items()[0].prediction.logit_structural,
              i % 2 == 0 ? 0 : 10);
  }
  pipeline().Close();
}

TEST_F(LinkPipelineTest, DifferentWhatIfQuestionsShareABatch) {
  options_.max_batch_size = 16;  // each link of a what-if costs 2
  TestJob* blocking = BlockExecutor();
  std::vector<TestJob*> jobs;
  for (const char* target : {"libcurl4", "lonely", "firefox"}) {
    jobs.push_back(MakeImaginingJob(target));
    ASSERT_TRUE(pipeline().Start(jobs.back()).ok());
  }
  while (pipeline().ModelQueue().classes[0].items < 6) {
    std::this_thread::yield();
  }
  fake_.scorer->Release();
  blocking->WaitForReply();
  for (TestJob* job : jobs) {
    job->WaitForReply();
    const GraphSnapshot& graph = job->graph().graph();
    EXPECT_EQ(graph.link_count(), fake_.served->snapshot->link_count() + 1);
  }
  EXPECT_THAT(fake_.scorer->batch_sizes(), ::testing::ElementsAre(1, 6));
}

TEST_F(LinkPipelineTest, GivesBackTheRoomOfAnImaginedGraph) {
  TestJob* job = MakeImaginingJob("lonely");
  TestJob* blocking = BlockExecutor();
  const size_t without = pipeline().admission().bytes();
  ASSERT_TRUE(pipeline().Start(job).ok());
  while (pipeline().ModelQueue().classes[0].items < 2) {
    std::this_thread::yield();
  }
  EXPECT_GT(job->graph().bytes(), 0);
  EXPECT_EQ(pipeline().admission().bytes(),
            without + job->work().bytes + job->graph().bytes());
  fake_.scorer->Release();
  blocking->WaitForReply();
  job->WaitForReply();
  pipeline().Close();
  EXPECT_EQ(pipeline().admission().bytes(), 0);
}

TEST_F(LinkPipelineTest, RefusesAnImaginedGraphWithoutRoom) {
  TestJob* job = MakeImaginingJob("lonely");
  options_.max_queue_bytes = job->work().bytes + 1000;
  ASSERT_TRUE(pipeline().Start(job).ok());
  job->WaitForReply();
  const absl::Status outcome = job->Outcome();
  EXPECT_EQ(outcome.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(outcome.message()), HasSubstr("no room"));
  pipeline().Close();
  EXPECT_EQ(pipeline().admission().bytes(), 0);
}

TEST_F(LinkPipelineTest, OnlyExplainedJobsPayForAttention) {
  TestJob* plain = MakeJob({Ref("curl", "depends", "libssl3")});
  TestJob* explained =
      MakeJob({Ref("curl", "depends", "libssl3")}, absl::Seconds(5), true);
  ASSERT_TRUE(pipeline().Start(plain).ok());
  ASSERT_TRUE(pipeline().Start(explained).ok());
  plain->WaitForReply();
  explained->WaitForReply();
  EXPECT_EQ(fake_.scorer->explain_calls(), 1);
  EXPECT_TRUE(plain->items()[0].attention.weights.empty());
  const LinkItem& item = explained->items()[0];
  ASSERT_EQ(item.encoded.contexts.size(), 1);
  EXPECT_EQ(item.attention.tokens, item.encoded.contexts[0].tokens.size());
  EXPECT_EQ(item.prediction.logit, plain->items()[0].prediction.logit);
  EXPECT_TRUE(item.contexts.empty());
}

TEST_F(LinkPipelineTest, EachOfSeveralContextsIsAnsweredAsTheRequestReadsIt) {
  fake_ = MakeFakeModel(ToySnapshot(), "default", 0,
                        ContextStrategy::kRandomWalks, 3);
  options_.result_cache_bytes = 1 << 20;
  const auto answer = [&](const std::string& scorer) {
    TestJob* job = MakeJob(
        {Ref("curl", "depends", "libssl3"), Ref("curl", "depends", "libcurl4")},
        absl::Seconds(5), true, nullptr, scorer);
    EXPECT_TRUE(pipeline().Start(job).ok());
    job->WaitForReply();
    return job;
  };
  for (const LinkItem& item : answer("")->items()) {
    ASSERT_EQ(item.encoded.contexts.size(), 3);
    ASSERT_EQ(item.contexts.size(), 3);
    float sum = 0;
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(item.contexts[i].prediction.logit,
                FakeContextPrediction(item.link, 0, i, 3).logit);
      EXPECT_EQ(item.contexts[i].attention.tokens,
                item.encoded.contexts[i].tokens.size());
      sum += item.contexts[i].prediction.logit;
    }
    EXPECT_NEAR(sum / 3, item.prediction.logit, 1e-5);
    EXPECT_EQ(item.attention.weights, item.contexts[0].attention.weights);
  }
  // The structural scorer does not read contexts. Its answer comes from the
  // cache.
  const int calls = fake_.scorer->explain_calls();
  for (const LinkItem& item : answer("structural")->items()) {
    ASSERT_EQ(item.contexts.size(), 3);
    for (const AnsweredContext& context : item.contexts) {
      EXPECT_EQ(context.prediction.logit, item.prediction.logit);
    }
  }
  EXPECT_EQ(fake_.scorer->explain_calls(), calls);
}

TEST_F(LinkPipelineTest, ExplanationsThatFitIntoNoReplyAreNotKept) {
  const std::vector<v1::LinkRef> links(3, Ref("curl", "depends", "libssl3"));
  TestJob* job = MakeJob(links, absl::Seconds(5), true);
  EXPECT_TRUE(job->CountReplyBytes(kMaxSendBytes));
  ASSERT_TRUE(pipeline().Start(job).ok());
  job->WaitForReply();
  for (const LinkItem& item : job->items()) {
    EXPECT_TRUE(item.status.ok());
    EXPECT_TRUE(item.attention.weights.empty());
    EXPECT_TRUE(item.encoded.contexts.empty());
    EXPECT_EQ(item.prediction.logit, FakePrediction(item.link).logit);
  }
  v1::PredictLinksResponse response;
  const absl::Status built = BuildPredictLinksResponse(*job, &response);
  EXPECT_EQ(built.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(built.message()), HasSubstr("fewer links"));
}

}  // namespace
}  // namespace slice
