#include "server/models/bundle_watch.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/files.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

class BundleWatchTest : public ::testing::Test {
 protected:
  BundleWatchTest() {
    Write("1");
    watch_.Add("m", directory_.path());
  }

  void Write(const std::string& manifest) {
    EXPECT_TRUE(
        WriteFileAtomically(directory_ / "MANIFEST.json", manifest).ok());
  }
  std::vector<BundleWatch::Due> Look() { return watch_.Look(now_); }

  const TempDirectory directory_;
  BundleWatch watch_;
  absl::Time now_ = absl::FromUnixSeconds(1000);
};

TEST_F(BundleWatchTest, AChangedBundleIsDueUntilItIsLoaded) {
  EXPECT_TRUE(Look().empty());
  Write("22");
  ASSERT_EQ(Look().size(), 1u);
  const BundleWatch::Due due = Look()[0];  // a look alone changes nothing
  EXPECT_EQ(due.name, "m");
  watch_.Loaded(due);
  EXPECT_TRUE(Look().empty());
  Write("333");
  fs::remove(directory_ / "MANIFEST.json");
  EXPECT_TRUE(Look().empty()) << "there is nothing to load";
}

TEST_F(BundleWatchTest, AChangeDuringTheLoadIsDueAfterIt) {
  Write("22");
  const BundleWatch::Due due = Look()[0];
  Write("333");
  watch_.Loaded(due);
  EXPECT_EQ(Look().size(), 1u);
}

TEST_F(BundleWatchTest, WhatFailedIsTriedAgainEverLater) {
  Write("22");
  absl::Duration delay = BundleWatch::kFirstDelay;
  for (int i = 0; i < 12; ++i) {
    ASSERT_EQ(Look().size(), 1u) << i;
    watch_.Failed(Look()[0], "a file is missing", now_);
    now_ += delay - absl::Milliseconds(1);
    EXPECT_TRUE(Look().empty()) << i;
    now_ += absl::Milliseconds(1);
    delay = std::min(2 * delay, BundleWatch::kLongestDelay);
  }
  EXPECT_EQ(delay, BundleWatch::kLongestDelay);
  watch_.Loaded(Look()[0]);
  EXPECT_TRUE(Look().empty());
}

TEST_F(BundleWatchTest, AnotherVersionIsTriedAtOnce) {
  Write("22");
  for (int i = 0; i < 5; ++i)
    watch_.Failed(Look()[0], "no", now_ - absl::Hours(1));
  watch_.Failed(Look()[0], "no", now_);
  EXPECT_TRUE(Look().empty());
  Write("333");
  ASSERT_EQ(Look().size(), 1u);
  watch_.Failed(Look()[0], "no", now_);
  now_ += BundleWatch::kFirstDelay;
  EXPECT_EQ(Look().size(), 1u) << "its delay begins anew";
}

TEST_F(BundleWatchTest, AnErrorIsNewOnce) {
  Write("22");
  const BundleWatch::Due due = Look()[0];
  EXPECT_TRUE(watch_.Failed(due, "a file is missing", now_));
  EXPECT_FALSE(watch_.Failed(due, "a file is missing", now_));
  EXPECT_TRUE(watch_.Failed(due, "the disk is full", now_));
  Write("333");
  EXPECT_TRUE(watch_.Failed(Look()[0], "the disk is full", now_));
}

TEST_F(BundleWatchTest, WhatIsNotWatchedAnyMoreIsNotTouched) {
  Write("22");
  const BundleWatch::Due due = Look()[0];
  watch_.Remove("m");
  watch_.Loaded(due);
  watch_.Failed(due, "no", now_);
  EXPECT_TRUE(Look().empty());
}

}  // namespace
}  // namespace slice
