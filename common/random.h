// Small deterministic random numbers and hashing, the same on every machine.
#ifndef SLICE_COMMON_RANDOM_H_
#define SLICE_COMMON_RANDOM_H_

#include <cstdint>
#include <string_view>

namespace slice {

// One step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijective mixer
// of 64 bits.
inline uint64_t MixBits(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Adds one more value to the hash of the values so far. The order counts.
inline uint64_t CombineHash(uint64_t hash, uint64_t value) {
  return MixBits(hash ^ MixBits(value));
}

// XXH3 of the bytes: stable across machines and releases.
uint64_t HashBytes(std::string_view bytes);

// Counter-based generator over SplitMix64. Thread-compatible; satisfies
// UniformRandomBitGenerator.
class Random {
 public:
  using result_type = uint64_t;

  explicit Random(uint64_t seed) : state_(MixBits(seed)) {}

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }

  uint64_t operator()() { return MixBits(state_ += 0x9e3779b97f4a7c15ULL); }

  // Uniform in [0, bound), by Lemire's multiply-shift (bias below 2^-32).
  // REQUIRES: bound > 0.
  uint32_t Below(uint32_t bound) {
    return static_cast<uint32_t>((((*this)() >> 32) * bound) >> 32);
  }

  // Uniform in [0, 1).
  double Uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  uint64_t state_;
};

}  // namespace slice

#endif  // SLICE_COMMON_RANDOM_H_
