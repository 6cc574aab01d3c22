// Two filters, each in two forms. One form is a portable loop. The other is for
// AVX-512: it gathers the bits of 16 nodes, tests them and stores the kept
// nodes next to each other. Both write nodes (one, or 16) before they know how
// many of these to keep; kRowFilterSlack is the room for that. The form is
// chosen once, when the program starts.
#include "context/row_filter.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "common/vector_variants.h"

namespace slice {
namespace {

template <typename Wanted>
size_t Keep(std::span<const NodeId> row, Wanted wanted, NodeId* to) {
  size_t count = 0;
  for (const NodeId node : row) {
    to[count] = node;
    count += wanted(node) ? 1 : 0;
  }
  return count;
}

#if defined(__x86_64__)

const bool kHasAvx512 = MachineVectorSet() == VectorSet::kAvx512 &&
                        __builtin_cpu_supports("popcnt");

constexpr size_t kLanes = 16;
static_assert(kRowFilterSlack >= kLanes);

// Looks up the bits of 16 nodes at once. Without kNeither it keeps the nodes in
// `a`; with kNeither it keeps the nodes in neither `a` nor `b`. The sets are
// arrays of 64-bit words, read here as 32-bit words: on this little-endian
// machine both number the bits alike.
template <bool kNeither>
__attribute__((target("avx512f,avx512vl,popcnt"))) size_t KeepByAvx512(
    const uint64_t* a, const uint64_t* b, std::span<const NodeId> row,
    NodeId* to) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i one = _mm512_set1_epi32(1);
  size_t count = 0;
  for (size_t at = 0; at < row.size(); at += kLanes) {
    const size_t left = row.size() - at;
    const auto lanes =
        static_cast<__mmask16>(left >= kLanes ? 0xffff : (1u << left) - 1);
    const __m512i nodes = _mm512_maskz_loadu_epi32(lanes, row.data() + at);
    const __m512i word = _mm512_maskz_srli_epi32(lanes, nodes, 5);
    __m512i bits = _mm512_mask_i32gather_epi32(zero, lanes, word, a, 4);
    if constexpr (kNeither) {
      bits = _mm512_or_si512(
          bits, _mm512_mask_i32gather_epi32(zero, lanes, word, b, 4));
    }
    const __m512i bit = _mm512_maskz_rolv_epi32(lanes, one, nodes);
    const __mmask16 kept = kNeither
                               ? _mm512_mask_testn_epi32_mask(lanes, bits, bit)
                               : _mm512_mask_test_epi32_mask(lanes, bits, bit);
    _mm512_storeu_si512(to + count, _mm512_maskz_compress_epi32(kept, nodes));
    count += static_cast<size_t>(_mm_popcnt_u32(kept));
  }
  return count;
}

#endif

}  // namespace

size_t KeepNodesInPortably(const NodeBits& set, std::span<const NodeId> row,
                           NodeId* to) {
  const NodeBits::Reader bits(set);
  return Keep(
      row, [bits](NodeId node) { return bits.Contains(node); }, to);
}

size_t KeepNodesInNeitherPortably(const NodeBits& a, const NodeBits& b,
                                  std::span<const NodeId> row, NodeId* to) {
  const NodeBits::Reader in_a(a);
  const NodeBits::Reader in_b(b);
  return Keep(
      row,
      [in_a, in_b](NodeId node) {
        // Both are asked always, so that no branch depends on the node.
        return (int{in_a.Contains(node)} | int{in_b.Contains(node)}) == 0;
      },
      to);
}

size_t KeepNodesIn(const NodeBits& set, std::span<const NodeId> row,
                   NodeId* to) {
#if defined(__x86_64__)
  if (kHasAvx512) {
    return KeepByAvx512<false>(set.words().data(), nullptr, row, to);
  }
#endif
  return KeepNodesInPortably(set, row, to);
}

size_t KeepNodesInNeither(const NodeBits& a, const NodeBits& b,
                          std::span<const NodeId> row, NodeId* to) {
#if defined(__x86_64__)
  if (kHasAvx512) {
    return KeepByAvx512<true>(a.words().data(), b.words().data(), row, to);
  }
#endif
  return KeepNodesInNeitherPortably(a, b, row, to);
}

}  // namespace slice
