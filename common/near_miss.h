// How similar a text is to a known name: the ranking behind "did you mean".
#ifndef SLICE_COMMON_NEAR_MISS_H_
#define SLICE_COMMON_NEAR_MISS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/text_signature.h"

namespace slice {

// Above every cost that NearMissCost returns.
inline constexpr int kAnyCost = 1000;

// The distance from `text` to `candidate`, both in lower case; lower is more
// similar. Nothing when they have too little in common to suggest one for the
// other. Costs above `most_cost` may be returned or not.
std::optional<int> NearMissCost(std::string_view text,
                                std::string_view candidate,
                                int most_cost = kAnyCost);

// The most edits between a text of `length` bytes and a name that it may mean:
// one for every three bytes, at most three.
size_t MostEdits(size_t length);

// Keeps the most similar of all candidates that are offered. Thread-compatible.
class NearMissSearch {
 public:
  NearMissSearch(std::string lower_text, size_t limit);

  // False when no text with this signature can be similar enough, other than by
  // a shared start.
  bool MayMatch(TextSignature candidate) const;

  // Adds a candidate. Best returns `shown` for it.
  void Offer(std::string_view lower_candidate, std::string_view shown);

  // The most similar candidates, best first, at most `limit`, each once.
  std::vector<std::string> Best() const;

 private:
  struct Found {
    int cost;
    std::string shown;
    auto operator<=>(const Found&) const = default;
  };

  const std::string text_;
  const TextSignature signature_;
  const size_t limit_;
  std::vector<Found> found_;  // sorted, at most limit_
};

}  // namespace slice

#endif  // SLICE_COMMON_NEAR_MISS_H_
