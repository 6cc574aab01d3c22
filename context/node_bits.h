// A set of nodes, or of positions, as a bit for each: small enough to stay in
// the cache, for most questions are about nodes that are not in it.
#ifndef SLICE_CONTEXT_NODE_BITS_H_
#define SLICE_CONTEXT_NODE_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// Thread-compatible. The owner remembers what it put in and takes it out again:
// the set never clears itself.
class NodeBits {
 public:
  // For loops: holds on to the memory, so it is not looked up at every step.
  class Reader {
   public:
    explicit Reader(const NodeBits& bits) : words_(bits.words_.data()) {}
    bool Contains(size_t value) const {
      return (words_[value / 64] >> (value % 64)) & 1;
    }

   private:
    const uint64_t* words_;
  };

  // Makes room for values below `size`.
  void Reserve(size_t size) {
    if (words_.size() < size / 64 + 1) words_.resize(size / 64 + 1);
  }

  bool Contains(size_t value) const {
    return (words_[value / 64] >> (value % 64)) & 1;
  }
  void Insert(size_t value) {
    words_[value / 64] |= uint64_t{1} << (value % 64);
  }
  void Erase(size_t value) {
    words_[value / 64] &= ~(uint64_t{1} << (value % 64));
  }
  // Takes out the value and perhaps others near it: for taking out all.
  void EraseNear(size_t value) { words_[value / 64] = 0; }

  // Bit i of word j stands for 64 j + i.
  std::span<const uint64_t> words() const { return words_; }

  // Calls visit(size_t) for those below `end`, ascending.
  template <typename Visit>
  void ForEachBelow(size_t end, Visit visit) const {
    for (size_t first = 0; first < end; first += 64) {
      for (uint64_t rest = words_[first / 64]; rest != 0; rest &= rest - 1) {
        visit(first + static_cast<size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_BITS_H_
