// Whether a question sees the other links between its ends: chosen on valid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit.h"
#include "trainer/fit/own_pair_choice.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

OwnPairFigures Figures(double mrr, double auroc) {
  return {.auroc = {auroc, auroc}, .mrr = mrr, .questions = 500, .rows = 1000};
}

TEST(OwnPairChoiceTest, RevealMustBeBetter) {
  const auto choose = [](OwnPairFigures hide, OwnPairFigures reveal) {
    return ChooseOwnPair(hide, reveal).links;
  };
  // Better at ranking, or at both.
  EXPECT_EQ(choose(Figures(0.2, 0.9), Figures(0.48, 0.9)),
            OwnPairLinks::kReveal);
  EXPECT_EQ(choose(Figures(0.2, 0.9), Figures(0.2, 0.92)),
            OwnPairLinks::kReveal);
  // Alike, or worse at one.
  EXPECT_EQ(choose(Figures(0.2, 0.9), Figures(0.201, 0.9)),
            OwnPairLinks::kHide);
  EXPECT_EQ(choose(Figures(0.2, 0.9), Figures(0.3, 0.88)), OwnPairLinks::kHide);
  EXPECT_EQ(choose(Figures(0.3, 0.9), Figures(0.2, 0.95)), OwnPairLinks::kHide);
  // Better by less than chance may make it.
  EXPECT_EQ(choose(Figures(0.05, 0.9), Figures(0.07, 0.905)),
            OwnPairLinks::kHide);
  // Without any ranking.
  EXPECT_EQ(choose(Figures(0, 0.9), Figures(0, 0.95)), OwnPairLinks::kReveal);
}

TEST(OwnPairChoiceTest, SaysWhatWasMeasured) {
  const OwnPairChoice choice =
      ChooseOwnPair(Figures(0.207, 0.95), Figures(0.481, 0.96));
  EXPECT_THAT(choice.reason, StartsWith("reveal is better"));
  EXPECT_THAT(choice.reason, HasSubstr("hide has MRR 0.207"));
  EXPECT_THAT(choice.reason, HasSubstr("500 ranking questions"));
}

TEST(OwnPairChoiceTest, ThePapersPresetsHide) {
  FitOptions options;
  EXPECT_TRUE(DecidesOwnPairOnValid(options));
  ASSERT_TRUE(options.ApplyPreset("paper").ok());
  EXPECT_FALSE(DecidesOwnPairOnValid(options));
  ASSERT_TRUE(DecideOwnPairByOptions(&options).ok());
  EXPECT_FALSE(options.own_pair_auto);
  EXPECT_EQ(options.own_pair_links, OwnPairLinks::kHide);
}

class OwnPairFitTest : public ::testing::Test {
 protected:
  // A graph of `likes` links at random, most of them returned if `returns`.
  FitOptions Options(bool returns) {
    Random random(3);
    std::string links;
    for (int i = 0; i < 1500; ++i) {
      const size_t a = random.Below(150), b = random.Below(150);
      if (a == b) continue;
      absl::StrAppend(&links, "likes n", a, " n", b, "\n");
      if (returns && i % 8 > 0) {
        absl::StrAppend(&links, "likes n", b, " n", a, "\n");
      }
    }
    directory_.Write("links.txt", links);
    FitOptions options = BriefFitOptions();
    options.split.links = directory_ / "links.txt";
    options.split.rule = SplitRule::kNewest;
    options.out = directory_ / "bundle";
    options.threads = 1;
    options.own_pair_auto = true;
    EXPECT_TRUE(options.ApplyPreset("fast").ok());
    options.structural_epochs = 2;
    return options;
  }

  OwnPairLinks Trained(const FitOptions& options) {
    const absl::Status status = Fit(options);
    EXPECT_TRUE(status.ok()) << status;
    const auto model = OfflineModel::Open(options.out);
    EXPECT_TRUE(model.ok()) << model.status();
    return (*model)->bundle().manifest().own_pair_links;
  }

  TempDirectory directory_;
};

TEST_F(OwnPairFitTest, ReturnedLinksAreRevealed) {
  FitOptions options = Options(/*returns=*/true);
  options.split.rule = SplitRule::kNodes;  // a link is held out, its return not
  EXPECT_EQ(Trained(options), OwnPairLinks::kReveal);
}

TEST_F(OwnPairFitTest, LinksWithoutOthersBetweenTheirEndsAreHidden) {
  EXPECT_EQ(Trained(Options(/*returns=*/false)), OwnPairLinks::kHide);
}

}  // namespace
}  // namespace slice
