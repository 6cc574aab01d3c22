#include "server/pipeline/encoded_link_pool.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

TEST(EncodedLinkPoolTest, GivesTheMemoryOfLinksAgain) {
  EncodedLinkPool pool(2);
  EXPECT_EQ(pool.Take().pair_features.capacity(), 0);
  std::vector<const float*> given;
  for (int i = 0; i < 3; ++i) {
    EncodedLink link;
    link.pair_features.resize(8);
    given.push_back(link.pair_features.data());
    pool.Give(std::move(link));
  }
  EXPECT_EQ(pool.Take().pair_features.data(), given[1]) << "the warmest first";
  EXPECT_EQ(pool.Take().pair_features.data(), given[0]);
  EXPECT_EQ(pool.Take().pair_features.capacity(), 0)
      << "no more are kept than asked for";
}

}  // namespace
}  // namespace slice
