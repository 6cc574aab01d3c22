#include "common/vector_variants.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace slice {
namespace {

VectorSet Detected() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("fma")) {
    return VectorSet::kAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return VectorSet::kAvx2;
  }
#endif
  return VectorSet::kPortable;
}

VectorSet Allowed() {
  const char* capability = std::getenv("ATEN_CPU_CAPABILITY");
  const std::string_view name = capability == nullptr ? "" : capability;
  if (name == "avx2") return VectorSet::kAvx2;
  if (name == "default") return VectorSet::kPortable;
  return VectorSet::kAvx512;
}

}  // namespace

VectorSet MachineVectorSet() {
  static const VectorSet set = std::min(Detected(), Allowed());
  return set;
}

std::string_view VectorSetName(VectorSet set) {
  switch (set) {
    case VectorSet::kAvx512:
      return "avx512";
    case VectorSet::kAvx2:
      return "avx2";
    case VectorSet::kPortable:
      break;
  }
  return "portable";
}

}  // namespace slice
