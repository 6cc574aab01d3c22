// How near a text is to a name that exists: the ranking behind "did you mean".
#ifndef SLICE_GRAPHSTORE_NEAR_MISS_H_
#define SLICE_GRAPHSTORE_NEAR_MISS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// The set of bytes of a text and its length in one word, to pass over millions
// of names at a nanosecond each. A value type.
class TextSignature {
 public:
  // Matches nothing.
  TextSignature() = default;
  explicit TextSignature(std::string_view lower_text);

  // Bytes of this text that do not occur in `other`, at most.
  int MissingIn(TextSignature other) const;
  size_t length() const { return length_; }  // 0 only for no text; at most 255

 private:
  uint64_t bytes_ = 0;
  uint8_t length_ = 0;
};

// How far `candidate` is from `text`, both in lower case; lower is nearer.
// Nothing when they have too little in common to suggest one for the other;
// costs above `most_cost` may be missed or given.
inline constexpr int kAnyCost = 1000;
std::optional<int> NearMissCost(std::string_view text,
                                std::string_view candidate,
                                int most_cost = kAnyCost);

// Edits that a text of so many bytes may be away from what was meant.
size_t MostEdits(size_t length);

// Names suggested for one that is unknown.
inline constexpr size_t kSuggestions = 3;

// Keeps the nearest of the candidates offered. Thread-compatible.
class NearMissSearch {
 public:
  NearMissSearch(std::string lower_text, size_t limit);

  // False when no text with this signature can be near enough, but for a
  // shared start.
  bool MayMatch(TextSignature candidate) const;

  // `shown` is what Best returns for the candidate.
  void Offer(std::string_view lower_candidate, std::string_view shown);

  // Nearest first, at most `limit`, each once.
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

#endif  // SLICE_GRAPHSTORE_NEAR_MISS_H_
