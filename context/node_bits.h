// A set of nodes, or of positions, with one bit per possible element. It is
// small enough to stay in the processor's cache. Most lookups ask for nodes
// that are not in the set, and so read no other memory.
#ifndef SLICE_CONTEXT_NODE_BITS_H_
#define SLICE_CONTEXT_NODE_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// Thread-compatible. The set cannot clear itself: its owner remembers which
// values it inserted, and erases them one by one.
class NodeBits {
 public:
  // Reads the set in a loop. It holds the address of the bits, so that the loop
  // does not load that address at every step.
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
  // Erases `value` and perhaps values near it, for owners that erase all
  // values.
  void EraseNear(size_t value) { words_[value / 64] = 0; }

  // Bit i of word j is the value 64 j + i.
  std::span<const uint64_t> words() const { return words_; }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_BITS_H_
