#include "trainer/methods/walks/take_softmax.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TakeSoftmaxTest, SharesAreThoseOfExponentials) {
  std::vector<double> shares = {1000, 1000 + std::log(3.0)};
  TakeSoftmax(shares);
  EXPECT_NEAR(shares[0], 0.25, 1e-9);
  EXPECT_NEAR(shares[1], 0.75, 1e-9);
}

TEST(TakeSoftmaxTest, OneNumberHasAllOfIt) {
  std::vector<float> shares = {-3e38f};
  TakeSoftmax(shares);
  EXPECT_EQ(shares[0], 1);
}

}  // namespace
}  // namespace slice
