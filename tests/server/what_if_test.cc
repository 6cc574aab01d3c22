// What-if questions to a server with a real bundle. The model for every answer
// is a graph that is built anew with the changes in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "common/random.h"
#include "context/slot_candidates.h"
#include "server/limits.h"
#include "tests/server/recommend_model.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WhatIfTest : public ::testing::Test {
 protected:
  static constexpr size_t kPackages = 60;

  WhatIfTest() : data_(LargerToyGraph(kPackages)), model_(data_) {
    test_.server->Serve(model_.served);
  }

  const GraphSnapshot& graph() const { return *model_.served->snapshot; }
  const std::string& KeyOf(NodeId node) const {
    return data_.catalogue.nodes[node].key;
  }
  void Name(const Link& link, v1::LinkChange* change) const {
    change->mutable_source()->set_key(KeyOf(link.source));
    change->set_relation(data_.catalogue.relations[link.relation]);
    change->mutable_target()->set_key(KeyOf(link.target));
  }
  NodeId AnyPackage(Random& random) const {
    const auto nodes = static_cast<uint32_t>(data_.catalogue.nodes.size());
    return static_cast<NodeId>(nodes - 1 - random.Below(kPackages));
  }

  // Draws changes, and makes them in data_ too. The relation stays that of
  // packages, so that the schema does.
  v1::WhatIf Draw(size_t count, Random& random) {
    v1::WhatIf what_if;
    const RelationId depends = ToyRelation(graph(), "depends");
    std::set<Link> touched;
    while (touched.size() < count) {
      const Link link = {AnyPackage(random), depends, AnyPackage(random)};
      const auto there =
          std::find(data_.links.begin(), data_.links.end(), link);
      if (!touched.insert(link).second) continue;
      if (there != data_.links.end()) {
        Name(link, what_if.add_changes()->mutable_remove_link());
        data_.links.erase(there);
      } else {
        Name(link, what_if.add_changes()->mutable_add_link());
        data_.links.push_back(link);
      }
    }
    return what_if;
  }

  // The link scored in the graph of data_, built anew, by the same bundle.
  Prediction Expected(const Link& link) const {
    const auto rebuilt = BuildSnapshotOrDie(data_);
    const EncodedLink encoded = model_.served->encoder->Encode(*rebuilt, link);
    const EncodedLink* const links[] = {&encoded};
    Prediction prediction =
        (*model_.served->scorer->Predict(ContextBatch::Assemble(links)))[0];
    prediction.Read(model_.served->manifest.reading);
    return prediction;
  }

  grpc::Status Ask(const v1::PredictLinksRequest& request) {
    grpc::ClientContext context;
    return test_.links->PredictLinks(&context, request, &reply_);
  }

  v1::PredictLinksRequest Question(const Link& link) const {
    v1::PredictLinksRequest request;
    v1::LinkRef* ref = request.add_links();
    ref->mutable_source()->set_key(KeyOf(link.source));
    ref->set_relation(data_.catalogue.relations[link.relation]);
    ref->mutable_target()->set_key(KeyOf(link.target));
    return request;
  }

  GraphData data_;
  const RecommendModel model_;
  TestServer test_;
  v1::PredictLinksResponse reply_;
};

TEST_F(WhatIfTest, AnswersLikeAGraphThatIsBuiltAnew) {
  Random random(5);
  const RelationId depends = ToyRelation(graph(), "depends");
  const GraphData base = data_;
  int moved = 0;
  for (int round = 0; round < 30; ++round) {
    data_ = base;
    const Link link = {AnyPackage(random), depends, AnyPackage(random)};
    v1::PredictLinksRequest request = Question(link);
    ASSERT_TRUE(Ask(request).ok());
    const float before = reply_.results(0).logit();
    *request.mutable_what_if() =
        Draw(static_cast<size_t>(1 + random.Below(8)), random);
    request.set_explanation_level(round % 2 == 0 ? v1::EXPLANATION_LEVEL_NONE
                                                 : v1::EXPLANATION_LEVEL_FULL);
    const grpc::Status status = Ask(request);
    ASSERT_TRUE(status.ok()) << status.error_message();
    const Prediction expected = Expected(link);
    EXPECT_NEAR(reply_.results(0).logit(), expected.logit, 1e-5);
    EXPECT_NEAR(reply_.results(0).probability(), expected.probability, 1e-5);
    if (std::abs(reply_.results(0).logit() - before) > 1e-4) ++moved;
    // Nothing of it stays.
    request.clear_what_if();
    ASSERT_TRUE(Ask(request).ok());
    EXPECT_NEAR(reply_.results(0).logit(), before, 1e-5);
  }
  EXPECT_GT(moved, 5);
}

TEST_F(WhatIfTest, KeepsItsAnswersOutOfTheCache) {
  ServerOptions options = TestServerOptions();
  options.result_cache_bytes = size_t{1} << 20;
  TestServer cached(options);
  cached.server->Serve(model_.served);
  v1::PredictLinksRequest request = CurlRequest();
  const auto ask = [&] {
    grpc::ClientContext context;
    EXPECT_TRUE(cached.links->PredictLinks(&context, request, &reply_).ok());
    return reply_.results(0).logit();
  };
  const float before = ask();
  v1::LinkChange* change =
      request.mutable_what_if()->add_changes()->mutable_remove_link();
  Name(ToyLink(graph(), "libcurl4", "depends", "libssl3"), change);
  const float imagined = ask();
  EXPECT_NE(imagined, before);
  EXPECT_EQ(ask(), imagined);
  request.clear_what_if();
  EXPECT_EQ(ask(), before);
}

TEST_F(WhatIfTest, ScoresAndExplainsANodeThatOnlyItHas) {
  v1::PredictLinksRequest request;
  v1::LinkRef* ref = request.add_links();
  ref->mutable_source()->set_key("brand-new");
  ref->set_relation("depends");
  ref->mutable_target()->set_key("libssl3");
  request.set_explanation_level(v1::EXPLANATION_LEVEL_FULL);
  ASSERT_TRUE(Ask(request).ok());
  EXPECT_EQ(reply_.results(0).status().code(), 5);  // NOT_FOUND
  v1::NodeChange* node =
      request.mutable_what_if()->add_changes()->mutable_upsert_node();
  node->set_key("brand-new");
  node->set_type("package");
  v1::LinkChange* link =
      request.mutable_what_if()->add_changes()->mutable_add_link();
  link->mutable_source()->set_key("brand-new");
  link->set_relation("depends");
  link->mutable_target()->set_key("libcurl4");
  const grpc::Status status = Ask(request);
  ASSERT_TRUE(status.ok()) << status.error_message();
  const v1::LinkResult& result = reply_.results(0);
  ASSERT_EQ(result.status().code(), 0) << result.status().message();
  EXPECT_EQ(result.source().key(), "brand-new");
  EXPECT_FALSE(result.flags().cold_source());
  EXPECT_TRUE(std::isfinite(result.logit()));
  EXPECT_FALSE(result.explanation().summary().empty());
  EXPECT_GT(result.explanation().metapath_size(), 0);
}

TEST_F(WhatIfTest, SaysWhichChangesHadNoEffect) {
  v1::PredictLinksRequest request = CurlRequest();
  for (const char* relation : {"depends", "suggests"}) {
    Name(ToyLink(graph(), "curl", relation, "libcurl4"),
         request.mutable_what_if()->add_changes()->mutable_add_link());
  }
  ASSERT_TRUE(Ask(request).ok());
  EXPECT_THAT(reply_.what_if().without_effect(), ElementsAre(0));
  request.clear_what_if();
  ASSERT_TRUE(Ask(request).ok());
  EXPECT_FALSE(reply_.has_what_if());
}

TEST_F(WhatIfTest, RefusesWhatCannotBeImagined) {
  const auto expect = [&](const v1::WhatIf& what_if, grpc::StatusCode code,
                          const std::string& message) {
    v1::PredictLinksRequest request = CurlRequest();
    *request.mutable_what_if() = what_if;
    const grpc::Status status = Ask(request);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(message));
  };
  v1::WhatIf what_if;
  expect(what_if, grpc::StatusCode::INVALID_ARGUMENT, "at least one change");
  what_if.add_changes()->mutable_remove_node()->set_key("libcurl5");
  expect(what_if, grpc::StatusCode::NOT_FOUND,
         "what_if.changes[0].remove_node: ");
  expect(what_if, grpc::StatusCode::NOT_FOUND, "did you mean 'libcurl4'");
  what_if.Clear();
  for (int i = 0; i <= kMaxWhatIfChanges; ++i) {
    what_if.add_changes()->mutable_upsert_node()->set_key(
        absl::StrCat("new-", i));
  }
  expect(what_if, grpc::StatusCode::INVALID_ARGUMENT,
         "holds 65 changes, at most 64");
  what_if.mutable_changes()->RemoveLast();
  v1::PredictLinksRequest request = CurlRequest();
  *request.mutable_what_if() = what_if;
  EXPECT_TRUE(Ask(request).ok());
}

TEST_F(WhatIfTest, AnswersAStreamLikeSingleCalls) {
  Random random(9);
  v1::PredictLinksRequest plain = CurlRequest(2);
  v1::PredictLinksRequest imagined = plain;
  Name(ToyLink(graph(), "libcurl4", "depends", "libssl3"),
       imagined.mutable_what_if()->add_changes()->mutable_remove_link());
  v1::PredictLinksRequest wrong = plain;
  wrong.mutable_what_if()->add_changes()->mutable_remove_node()->set_key("?");
  grpc::ClientContext context;
  const auto stream = test_.links->StreamPredictLinks(&context);
  for (const auto& request : {plain, imagined, wrong, plain}) {
    ASSERT_TRUE(stream->Write(request));
  }
  stream->WritesDone();
  std::vector<v1::PredictLinksResponse> replies;
  for (v1::PredictLinksResponse reply; stream->Read(&reply);) {
    replies.push_back(reply);
  }
  ASSERT_TRUE(stream->Finish().ok());
  ASSERT_EQ(replies.size(), 4);
  ASSERT_TRUE(Ask(imagined).ok());
  EXPECT_NEAR(replies[1].results(1).logit(), reply_.results(1).logit(), 1e-5);
  EXPECT_NE(replies[1].results(0).logit(), replies[0].results(0).logit());
  EXPECT_EQ(replies[2].results(0).status().code(), 5);  // NOT_FOUND
  EXPECT_NEAR(replies[3].results(0).logit(), replies[0].results(0).logit(),
              1e-5);
}

TEST_F(WhatIfTest, RecommendsLikeAGraphThatIsBuiltAnew) {
  Random random(3);
  v1::RecommendLinksRequest request;
  request.mutable_source()->set_key("package-7");
  request.set_relation("depends");
  request.set_k(40);
  *request.mutable_what_if() = Draw(12, random);
  const auto rebuilt = BuildSnapshotOrDie(data_);
  const LinkRecommender model(*rebuilt, *model_.served->encoder,
                              *model_.served->scorer,
                              model_.served->manifest.reading.rule_weights);
  grpc::ClientContext context;
  const auto stream = test_.links->RecommendLinks(&context, request);
  std::vector<v1::Recommendation> got;
  for (v1::RecommendLinksResponse reply; stream->Read(&reply);) {
    got.push_back(reply.recommendation());
    EXPECT_TRUE(reply.has_what_if());
  }
  const grpc::Status status = stream->Finish();
  ASSERT_TRUE(status.ok()) << status.error_message();
  RecommendQuestion question;
  question.question = {ToyNode(*rebuilt, "package-7"),
                       ToyRelation(*rebuilt, "depends"), Direction::kOut};
  question.candidates = SlotCandidates(*rebuilt, question.question.relation,
                                       question.question.direction);
  std::erase(question.candidates, question.question.anchor);
  EraseLinked(*rebuilt, question.question, question.candidates);
  question.k = 40;
  question.reading = model_.served->manifest.reading;
  const auto ranked = model.Rank(*rebuilt, question, {.clock = Clock::Real()});
  ASSERT_TRUE(ranked.ok()) << ranked.status();
  ASSERT_EQ(got.size(), ranked->ends.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i].score(), ranked->ends[i].score, 1e-4) << i;
  }
}

TEST_F(WhatIfTest, DoesNotRecommendARemovedNode) {
  v1::RecommendLinksRequest request;
  request.mutable_source()->set_key("package-7");
  request.set_relation("depends");
  request.set_k(1000);
  const auto keys = [&] {
    grpc::ClientContext context;
    const auto stream = test_.links->RecommendLinks(&context, request);
    std::set<std::string> keys;
    for (v1::RecommendLinksResponse reply; stream->Read(&reply);) {
      keys.insert(reply.recommendation().node().key());
    }
    EXPECT_TRUE(stream->Finish().ok());
    return keys;
  };
  const std::set<std::string> before = keys();
  EXPECT_TRUE(before.contains("libcurl4"));
  request.mutable_what_if()->add_changes()->mutable_remove_node()->set_key(
      "libcurl4");
  std::set<std::string> after = keys();
  EXPECT_FALSE(after.contains("libcurl4"));
  after.insert("libcurl4");
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace slice
