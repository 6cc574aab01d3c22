#include "common/parallel.h"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(ParallelForTest, VisitsEveryIndexOnce) {
  for (const size_t count : {0, 1, 7, 64, 1000}) {
    for (const int threads : {1, 2, 5}) {
      std::vector<std::atomic<int>> visits(count);
      ParallelFor(count, 3, threads, [&](size_t begin, size_t end, int) {
        for (size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (const auto& visit : visits) EXPECT_EQ(visit.load(), 1);
    }
  }
}

TEST(ParallelForTest, PiecesAndWorkersAreInRange) {
  std::atomic<int> wrong{0};
  ParallelFor(100, 8, 3, [&](size_t begin, size_t end, int worker) {
    if (begin >= end || end - begin > 8 || end > 100) ++wrong;
    if (worker < 0 || worker >= 3) ++wrong;
  });
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ParallelForTest, OneThreadRunsInOrder) {
  std::vector<std::pair<size_t, size_t>> pieces;
  ParallelFor(5, 2, 1, [&](size_t begin, size_t end, int) {
    pieces.emplace_back(begin, end);
  });
  EXPECT_THAT(pieces, ElementsAre(Pair(0, 2), Pair(2, 4), Pair(4, 5)));
}

TEST(ParallelForTest, GrainOfZeroIsOne) {
  size_t total = 0;
  ParallelFor(3, 0, 1,
              [&](size_t begin, size_t end, int) { total += end - begin; });
  EXPECT_EQ(total, 3);
}

// Runs a loop where there is no room for another thread's stack. Ends the
// process with status 7 when the loop did all its work, else with 1.
void RunWithoutRoomForThreads() {
  const rlimit none = {1, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &none);
  size_t sum = 0;
  const auto add = [&sum](size_t begin, size_t, int) { sum += begin; };
  ParallelFor(100, 1, 4, add);
  _exit(sum == 4950 ? 7 : 1);
}

TEST(ParallelForDeathTest, WithoutMoreThreadsTheCallerDoesItAll) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends where it gets no memory";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(RunWithoutRoomForThreads(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace slice
