#include "server/readiness.h"

#include <gtest/gtest.h>

#include "common/clock.h"

namespace slice {
namespace {

TEST(ReadinessTest, IsThereOnceNoObstacleIsLeft) {
  ServerMetrics metrics;
  HealthService health({"slice.v1.LinkPredictionService"}, &metrics,
                       Clock::Real());
  Readiness readiness(&health, &metrics);
  EXPECT_FALSE(readiness.ready());
  readiness.Add(Obstacle::kBehindFeed);
  readiness.Remove(Obstacle::kNoModel);
  EXPECT_FALSE(readiness.ready());
  readiness.Remove(Obstacle::kBehindFeed);
  EXPECT_TRUE(readiness.ready());
  EXPECT_NE(metrics.Render().find("\nslice_ready 1"), std::string::npos);
  readiness.Add(Obstacle::kBehindFeed);
  readiness.Add(Obstacle::kBehindFeed);
  EXPECT_FALSE(readiness.ready());
  EXPECT_NE(metrics.Render().find("\nslice_ready 0"), std::string::npos);
  readiness.Remove(Obstacle::kBehindFeed);
  EXPECT_TRUE(readiness.ready());
  readiness.Add(Obstacle::kStopping);
  readiness.Remove(Obstacle::kBehindFeed);
  EXPECT_FALSE(readiness.ready());
}

}  // namespace
}  // namespace slice
