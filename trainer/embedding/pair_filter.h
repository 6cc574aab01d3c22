// A set of node pairs that answers "certainly not" with one read of memory.
#ifndef SLICE_TRAINER_EMBEDDING_PAIR_FILTER_H_
#define SLICE_TRAINER_EMBEDDING_PAIR_FILTER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/huge_pages.h"
#include "common/prefetch.h"
#include "common/random.h"
#include "graphstore/types.h"

namespace slice {

// A Bloom filter that keeps all bits of a pair in one word (Putze, Sanders and
// Singler, JEA 14, 2009): 16 bits per pair, three of them set. It reports about
// one absent pair in fifty as present, and never a present pair as absent.
// Pairs are unordered. Thread-compatible.
class PairFilter {
 public:
  // Makes a filter with room for this many pairs.
  explicit PairFilter(uint64_t pairs) {
    const size_t words = std::max<uint64_t>(1, pairs / kPairsPerWord);
    ReserveHugePages(words, &words_);
    words_.resize(words);
  }

  static uint64_t Hash(NodeId a, NodeId b) {
    return MixBits((uint64_t{std::min(a, b)} << 32) | std::max(a, b));
  }

  void Add(uint64_t hash) { words_[Place(hash)] |= Bits(hash); }
  bool MayHave(uint64_t hash) const {
    return (~words_[Place(hash)] & Bits(hash)) == 0;
  }
  // Tells the processor that MayHave(hash) is called soon.
  void Prefetch(uint64_t hash) const { PrefetchToRead(&words_[Place(hash)]); }

 private:
  static constexpr uint64_t kPairsPerWord = 4;

  size_t Place(uint64_t hash) const {
    return static_cast<size_t>(
        (static_cast<unsigned __int128>(hash) * words_.size()) >> 64);
  }
  static uint64_t Bits(uint64_t hash) {
    return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63) |
           uint64_t{1} << (hash >> 12 & 63);
  }

  std::vector<uint64_t> words_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_PAIR_FILTER_H_
