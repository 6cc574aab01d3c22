#include "server/rpc/answer_trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/testing/fake_scorer.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AnswerTrustTest : public ::testing::Test {
 protected:
  v1::LinkFlags FlagsFor(const Link& link, float schema_log_odds) const {
    Prediction prediction;
    prediction.flags =
        FlagsOf(*model_->snapshot, model_->snapshot->schema(), link);
    prediction.schema_log_odds = schema_log_odds;
    v1::LinkFlags flags;
    FillFlags(ModelOnGraph(*model_), link, prediction, &flags);
    return flags;
  }

  const std::shared_ptr<const ServedModel> model_ =
      MakeFakeModel(ToySnapshot()).served;
};

TEST_F(AnswerTrustTest, AnOrdinaryPairSendsNoFlag) {
  const Link link = ToyLink(*model_->snapshot, "curl", "depends", "libssl-dev");
  EXPECT_EQ(FlagsFor(link, 0).ByteSizeLong(), 0u);
}

TEST_F(AnswerTrustTest, FlagsComeWithTheirReasons) {
  const v1::LinkFlags flags =
      FlagsFor(ToyLink(*model_->snapshot, "curl", "tagged", "curl"), -7);
  EXPECT_TRUE(flags.self());
  EXPECT_TRUE(flags.off_schema_target());
  EXPECT_FALSE(flags.off_schema_source());
  EXPECT_FALSE(flags.exists());
  EXPECT_EQ(flags.schema_log_odds(), -7);
  EXPECT_THAT(flags.notes(),
              ElementsAre(HasSubstr("both ends are one node"),
                          HasSubstr("targets of tagged have 'tag'")));
}

TEST_F(AnswerTrustTest, ALinkOfTheGraphSaysSo) {
  const v1::LinkFlags flags = FlagsFor(
      ToyLink(*model_->snapshot, "libssl-dev", "depends", "libssl3"), 0);
  EXPECT_TRUE(flags.exists());
  EXPECT_THAT(flags.notes(),
              ElementsAre(HasSubstr("a high score may be too sure")));
}

TEST(FillCalibrationsTest, TellsEachRelationAndBothQuestions) {
  BundleManifest manifest;
  manifest.relations = {"depends", "tagged"};
  manifest.reading.calibrations = {Calibration{1.5, 0.25},
                                   Calibration{2.5, 0.75}};
  v1::GetModelInfoResponse older;
  FillCalibrations(manifest, &older);
  EXPECT_EQ(older.decision_threshold(), 0.25);
  EXPECT_EQ(older.among_kind_threshold(), 0.75);
  EXPECT_EQ(older.among_kind_temperature(), 2.5);
  EXPECT_EQ(older.relation_calibrations_size(), 0);

  RelationReadings relations;
  for (auto& of_question : relations.calibrations) {
    of_question = {{}, {.threshold = 0.125, .offset = -2, .rows = 9}};
  }
  relations.schema = {{}, {.self = -6}};
  manifest.reading.relations =
      std::make_shared<const RelationReadings>(std::move(relations));
  v1::GetModelInfoResponse info;
  FillCalibrations(manifest, &info);
  ASSERT_EQ(info.relation_calibrations_size(), 2);
  const v1::RelationCalibration& tagged = info.relation_calibrations(1);
  EXPECT_EQ(tagged.relation(), "tagged");
  EXPECT_EQ(tagged.plausible().offset(), -2);
  EXPECT_EQ(tagged.plausible().rows(), 9u);
  EXPECT_EQ(tagged.among_kind().decision_threshold(), 0.125);
  EXPECT_EQ(tagged.self_log_odds(), -6);
}

}  // namespace
}  // namespace slice
