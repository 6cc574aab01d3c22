// An index from pairs of neighbouring bytes to the texts that contain them. It
// finds the texts that may be similar to a given text without reading every
// text.
#ifndef SLICE_GRAPHSTORE_GRAM_INDEX_H_
#define SLICE_GRAPHSTORE_GRAM_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace slice {

// Two neighbouring bytes of a text: a 2-gram.
using Gram = uint16_t;

// Immutable; thread-safe. Memory: half a megabyte, and one to three bytes for
// each different gram of each text.
class GramIndex {
 public:
  // A function that passes every text and its number to its argument. Numbers
  // must ascend; several texts may have the same number.
  using ForEachText = std::function<void(
      const std::function<void(uint32_t, std::string_view)>&)>;
  explicit GramIndex(const ForEachText& for_each_text);

  // The bytes of the list of a gram; 0 when no text contains the gram.
  size_t bytes(Gram gram) const { return begin_[gram + 1] - begin_[gram]; }

  // Calls visit(uint32_t) with the numbers of the texts that contain the gram,
  // ascending, each once, until it returns false.
  template <typename Visit>
  void ForEach(Gram gram, Visit visit) const {
    uint32_t number = 0;
    for (size_t at = begin_[gram]; at < begin_[gram + 1];) {
      uint32_t step = 0;
      int shift = 0;
      while ((lists_[at] & 0x80) != 0) {
        step |= uint32_t{lists_[at++]} % 0x80 << shift;
        shift += 7;
      }
      number += step | uint32_t{lists_[at++]} << shift;
      if (!visit(number - 1)) return;
    }
  }

 private:
  // The lists of all grams. The list of a gram holds the differences between
  // the numbers of its texts; the first difference counts from -1. A difference
  // takes seven bits a byte, the lowest first; the highest bit is set in all
  // bytes but the last (LEB128).
  std::vector<uint8_t> lists_;
  // Where the list of each gram begins in lists_, and the end of the last list.
  std::vector<size_t> begin_;
};

// Tells which texts may be similar to `text`, or contain it. Cuts `text` into
// parts and returns the rarest gram of each part, the gram with the shortest
// list first. Every text that contains `text` contains all of these grams.
// Every text that is at most `most_edits` edits away from `text` contains one
// of them. There is one exception: when `text` is too short for enough parts,
// an edit that swaps two bytes of different parts changes two of the grams.
// Empty when `text` has less than two bytes.
std::vector<Gram> RareGrams(const GramIndex& index, std::string_view text,
                            size_t most_edits);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAM_INDEX_H_
