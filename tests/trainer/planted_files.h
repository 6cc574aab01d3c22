// Train, valid and test files of small graphs. One is easy to learn: links join
// nodes of one community, negatives nodes of two. In another links say nothing
// of each other.
#ifndef SLICE_TESTS_TRAINER_PLANTED_FILES_H_
#define SLICE_TESTS_TRAINER_PLANTED_FILES_H_

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "tests/testing/temp_directory.h"

namespace slice {

inline constexpr int kPlantedNodes = 120;
inline constexpr int kPlantedCommunities = 4;

// Writes train.txt, valid.txt and test.txt into `directory`: relations "likes"
// and "knows", about 1,500 train links, 200 rows each of valid and test.
inline void WritePlantedFiles(const TempDirectory& directory, uint64_t seed) {
  Random random(seed);
  const auto pick = [&] {
    return static_cast<int>(random.Below(kPlantedNodes));
  };
  const auto together = [](int a, int b) {
    return a % kPlantedCommunities == b % kPlantedCommunities;
  };
  std::set<std::pair<int, int>> pairs;
  while (pairs.size() < 1000) {
    const int a = pick(), b = pick();
    if (a < b && together(a, b)) pairs.emplace(a, b);
  }
  std::vector<std::pair<int, int>> order(pairs.begin(), pairs.end());
  std::shuffle(order.begin(), order.end(), random);
  std::string train;
  std::string held_out[2];
  for (size_t i = 0; i < order.size(); ++i) {
    const auto [a, b] = order[i];
    const std::string row =
        absl::StrCat(i % 3 == 0 ? "knows" : "likes", " n", a, " n", b);
    if (i >= 200) {
      absl::StrAppend(&train, row, "\n");
      if (i % 5 == 0) absl::StrAppend(&train, "likes n", b, " n", a, "\n");
      continue;
    }
    absl::StrAppend(&held_out[i % 2], row, " 1\n");
    int other = pick();
    while (together(a, other)) other = pick();
    absl::StrAppend(&held_out[i % 2], i % 3 == 0 ? "knows" : "likes", " n", a,
                    " n", other, " 0\n");
  }
  directory.Write("train.txt", train);
  directory.Write("valid.txt", held_out[0]);
  directory.Write("test.txt", held_out[1]);
}

// Links without any pattern: only a method that saw the held-out links can
// predict them.
inline void WriteRandomFiles(const TempDirectory& directory) {
  Random random(5);
  const auto pick = [&] { return random.Below(150); };
  std::set<std::pair<int, int>> pairs;
  const auto draw = [&](const char* label, int count) {
    std::string rows;
    for (int i = 0; i < count;) {
      const int a = pick(), b = pick();
      if (a >= b || !pairs.emplace(a, b).second) continue;
      absl::StrAppend(&rows, "r n", a, " n", b, label, "\n");
      ++i;
    }
    return rows;
  };
  directory.Write("train.txt", draw("", 500));
  directory.Write("valid.txt", draw(" 1", 100) + draw(" 0", 100));
  directory.Write("test.txt", draw(" 1", 100) + draw(" 0", 100));
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_PLANTED_FILES_H_
