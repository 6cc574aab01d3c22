#include "server/pipeline/result_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

ResultKey KeyOf(NodeId source, NodeId target = 2) {
  return {"bundle", 7, {source, 1, target}, 0};
}

std::shared_ptr<const LinkAnswer> Answer(float logit, size_t numbers = 0) {
  auto answer = std::make_shared<LinkAnswer>();
  answer->prediction.logit = logit;
  answer->contributions.resize(numbers);
  return answer;
}

// The cached logit; NaN when there is none.
float LogitIn(const ResultCache& cache, const ResultKey& key) {
  const auto found = cache.Find(key);
  return found == nullptr ? NAN : found->prediction.logit;
}

TEST(ResultCacheTest, OffItKeepsNothing) {
  ResultCache cache(0);
  EXPECT_FALSE(cache.enabled());
  cache.Insert(KeyOf(1), Answer(3));
  EXPECT_EQ(cache.Find(KeyOf(1)), nullptr);
  EXPECT_EQ(cache.bytes(), 0);
}

TEST(ResultCacheTest, EveryPartOfTheKeyCounts) {
  ResultCache cache(1 << 20);
  const ResultKey key = KeyOf(1);
  cache.Insert(key, Answer(3));
  EXPECT_EQ(LogitIn(cache, key), 3);
  std::vector<ResultKey> others(8, key);
  others[0].bundle_id = "bundlf";
  others[1].graph_version = 8;
  others[2].link.source = 2;
  others[3].link.relation = 2;
  others[4].link.target = 1;
  others[5].explanation_level = 1;
  others[6].scorer = Scorer::kStructural;
  others[7].prior = 0.5;
  for (const ResultKey& other : others) EXPECT_EQ(cache.Find(other), nullptr);
  for (size_t i = 0; i < others.size(); ++i) {
    cache.Insert(others[i], Answer(static_cast<float>(i)));
  }
  for (size_t i = 0; i < others.size(); ++i) {
    EXPECT_EQ(LogitIn(cache, others[i]), i);
  }
  cache.Insert(key, Answer(4));
  EXPECT_EQ(LogitIn(cache, key), 4);
}

TEST(ResultCacheTest, BytesAreBoundedAndTheNewestStays) {
  constexpr size_t kMaxBytes = 2 << 20;
  ResultCache cache(kMaxBytes);
  const size_t of_one = MemoryBytes(*Answer(0, 1000));
  EXPECT_GE(of_one, 4000);
  for (NodeId node = 0; node < 5000; ++node) {
    cache.Insert(KeyOf(node), Answer(static_cast<float>(node), 1000));
    ASSERT_LE(cache.bytes(), kMaxBytes);
    ASSERT_EQ(LogitIn(cache, KeyOf(node)), node);
  }
  size_t kept = 0;
  for (NodeId node = 0; node < 5000; ++node) {
    kept += cache.Find(KeyOf(node)) != nullptr;
  }
  EXPECT_LT(kept * of_one, kMaxBytes);
  EXPECT_GT(kept * of_one, kMaxBytes / 2);
}

TEST(ResultCacheTest, WhatIsLargerThanAllIsNotKept) {
  ResultCache cache(10'000);
  cache.Insert(KeyOf(1), Answer(1, 100'000));
  EXPECT_EQ(cache.Find(KeyOf(1)), nullptr);
  EXPECT_LE(cache.bytes(), 10'000);
}

TEST(ResultCacheTest, AnAnswerInUseOutlivesItsPlace) {
  ResultCache cache(1 << 20);
  cache.Insert(KeyOf(1), Answer(1, 1000));
  const auto held = cache.Find(KeyOf(1));
  for (NodeId node = 2; node < 2000; ++node) {
    cache.Insert(KeyOf(node), Answer(2, 1000));
    EXPECT_NE(cache.Find(KeyOf(node)), nullptr);
  }
  EXPECT_EQ(cache.Find(KeyOf(1)), nullptr);
  EXPECT_EQ(held->prediction.logit, 1);
  EXPECT_EQ(held->contributions.size(), 1000);
}

TEST(ResultCacheTest, ThreadsGetWholeAnswers) {
  ResultCache cache(200'000);
  std::vector<std::thread> threads;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&cache, seed] {
      Random random(seed);
      for (int i = 0; i < 3000; ++i) {
        const auto node = static_cast<NodeId>(random.Below(300));
        if (const auto found = cache.Find(KeyOf(node))) {
          ASSERT_EQ(found->prediction.logit, node);
          ASSERT_EQ(found->contributions.size(), node);
        } else {
          cache.Insert(KeyOf(node), Answer(static_cast<float>(node), node));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace slice
