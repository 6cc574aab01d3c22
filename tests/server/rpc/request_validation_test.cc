#include "server/rpc/request_validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "server/grpc_status.h"
#include "server/limits.h"

namespace slice {
namespace {

v1::PredictLinksRequest GoodRequest(int links = 1) {
  v1::PredictLinksRequest request;
  for (int i = 0; i < links; ++i) {
    v1::LinkRef* link = request.add_links();
    link->mutable_source()->set_key("a");
    link->set_relation("r");
    link->mutable_target()->set_name("b");
  }
  return request;
}

TEST(RequestValidationTest, AcceptsOneAndTheMostLinks) {
  EXPECT_TRUE(ValidateRequest(GoodRequest(1)).ok());
  EXPECT_TRUE(ValidateRequest(GoodRequest(kMaxLinksPerRequest)).ok());
}

TEST(RequestValidationTest, AcceptsEveryScorerByName) {
  for (const char* scorer : {"", "context", "ends", "structural"}) {
    v1::PredictLinksRequest request = GoodRequest();
    request.set_scorer(scorer);
    EXPECT_TRUE(ValidateRequest(request).ok()) << scorer;
  }
}

TEST(RequestValidationTest, AcceptsAPriorBetween0And1) {
  for (const double prior : {0.0, 1e-6, 0.5, 0.999}) {
    v1::PredictLinksRequest request = GoodRequest();
    request.set_prior(prior);
    EXPECT_TRUE(ValidateRequest(request).ok()) << prior;
  }
}

struct BadRequestCase {
  std::string name;
  std::function<void(v1::PredictLinksRequest&)> spoil;
  std::string field;
};

class BadPredictLinksTest : public ::testing::TestWithParam<BadRequestCase> {};

TEST_P(BadPredictLinksTest, IsRefusedNamingTheField) {
  v1::PredictLinksRequest request = GoodRequest(4);
  GetParam().spoil(request);
  const absl::Status status = ValidateRequest(request);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  const std::string start = GetParam().field + ": ";
  EXPECT_EQ(status.message().substr(0, start.size()), start) << status;

  const google::rpc::Status wire = ToRpcStatus(status);
  ASSERT_EQ(wire.details_size(), 1);
  google::rpc::BadRequest detail;
  ASSERT_TRUE(wire.details(0).UnpackTo(&detail));
  ASSERT_EQ(detail.field_violations_size(), 1);
  EXPECT_EQ(detail.field_violations(0).field(), GetParam().field);
}

using Request = v1::PredictLinksRequest;

INSTANTIATE_TEST_SUITE_P(
    Table, BadPredictLinksTest,
    ::testing::Values(
        BadRequestCase{"NoLinks", [](Request& r) { r.clear_links(); }, "links"},
        BadRequestCase{"TooManyLinks",
                       [](Request& r) { r = GoodRequest(1025); }, "links"},
        BadRequestCase{"UnknownScorer",
                       [](Request& r) { r.set_scorer("oracle"); }, "scorer"},
        BadRequestCase{"OversizedScorer",
                       [](Request& r) {
                         r.set_scorer(std::string(kMaxTextBytes + 1, 's'));
                       },
                       "scorer"},
        BadRequestCase{"PriorOfAll", [](Request& r) { r.set_prior(1); },
                       "prior"},
        BadRequestCase{"NegativePrior", [](Request& r) { r.set_prior(-0.5); },
                       "prior"},
        BadRequestCase{"PriorThatIsNoNumber",
                       [](Request& r) { r.set_prior(std::nan("")); }, "prior"},
        BadRequestCase{"NoSource",
                       [](Request& r) { r.mutable_links(3)->clear_source(); },
                       "links[3].source"},
        BadRequestCase{"EmptySource",
                       [](Request& r) {
                         r.mutable_links(3)->mutable_source()->clear_ref();
                       },
                       "links[3].source"},
        BadRequestCase{"EmptyKey",
                       [](Request& r) {
                         r.mutable_links(1)->mutable_source()->set_key("");
                       },
                       "links[1].source.key"},
        BadRequestCase{"EmptyName",
                       [](Request& r) {
                         r.mutable_links(1)->mutable_target()->set_name("");
                       },
                       "links[1].target.name"},
        BadRequestCase{"LongName",
                       [](Request& r) {
                         r.mutable_links(0)->mutable_target()->set_name(
                             std::string(1025, 'x'));
                       },
                       "links[0].target.name"},
        BadRequestCase{"LongType",
                       [](Request& r) {
                         r.mutable_links(0)->mutable_target()->set_type(
                             std::string(1025, 'x'));
                       },
                       "links[0].target.type"},
        BadRequestCase{"NoTarget",
                       [](Request& r) { r.mutable_links(2)->clear_target(); },
                       "links[2].target"},
        BadRequestCase{"EmptyRelation",
                       [](Request& r) { r.mutable_links(2)->set_relation(""); },
                       "links[2].relation"},
        BadRequestCase{"UnknownLevel",
                       [](Request& r) {
                         r.set_explanation_level(
                             static_cast<v1::ExplanationLevel>(9));
                       },
                       "explanation_level"},
        BadRequestCase{"LongModel",
                       [](Request& r) { r.set_model(std::string(2000, 'm')); },
                       "model"}),
    [](const auto& info) { return info.param.name; });

TEST(RequestValidationTest, EveryExplanationLevelIsServed) {
  v1::PredictLinksRequest request = GoodRequest();
  for (int level = 0; level < v1::ExplanationLevel_ARRAYSIZE; ++level) {
    request.set_explanation_level(static_cast<v1::ExplanationLevel>(level));
    EXPECT_TRUE(ValidateRequest(request).ok()) << level;
  }
}

TEST(RequestValidationTest, PageSizesAreBounded) {
  v1::FindNodesRequest find;
  EXPECT_TRUE(ValidateRequest(find).ok());
  find.set_page_size(1000);
  EXPECT_TRUE(ValidateRequest(find).ok());
  for (int size : {-1, 1001}) {
    find.set_page_size(size);
    EXPECT_EQ(ValidateRequest(find).code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(RequestValidationTest, NeighborsNeedANodeAndAKnownDirection) {
  v1::GetNeighborsRequest request;
  EXPECT_EQ(ValidateRequest(request).message(),
            "node: is missing: set its key or its name");
  request.mutable_node()->set_key("a");
  EXPECT_TRUE(ValidateRequest(request).ok());
  request.set_direction(static_cast<v1::Direction>(5));
  EXPECT_EQ(ValidateRequest(request).message(), "direction: unknown value 5");
}

TEST(RequestValidationTest, PageSizeZeroMeansTheDefault) {
  EXPECT_EQ(PageSizeOr(0, 20), 20);
  EXPECT_EQ(PageSizeOr(3, 20), 3);
}

}  // namespace
}  // namespace slice
