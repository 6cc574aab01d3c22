// One function body compiled for several instruction sets, chosen at run time
// by MachineVectorSet(). For .cc files.
//
// Loops that the compiler turns into vector instructions itself:
//
//   SLICE_VECTOR_LOOP void ScaleBody(float* row, int size) { ... }
//   SLICE_VECTOR_VARIANTS(Scale, ScaleBody, (float* row, int size), (row,
//   size))
//
// makes Scale(row, size), for AVX2 and for any processor. The compiler's own
// loops are no faster with AVX-512.
//
// Loops written with the vectors of common/vectors.h: SLICE_VECTOR_KERNEL is
// the same with a variant for AVX-512, of a body that is a template over
// VectorSet, the instruction set it is compiled for.
//
// A body must not hold lambdas: they would not inherit the instruction set.
#ifndef SLICE_COMMON_VECTOR_VARIANTS_H_
#define SLICE_COMMON_VECTOR_VARIANTS_H_

#include <string_view>

#define SLICE_VECTOR_LOOP inline __attribute__((always_inline))

namespace slice {

enum class VectorSet { kPortable, kAvx2, kAvx512 };

// The best of this machine, or less where the environment variable
// ATEN_CPU_CAPABILITY (LibTorch's) says "avx2" or "default". The same for the
// whole process.
VectorSet MachineVectorSet();
// "avx512", "avx2", "portable".
std::string_view VectorSetName(VectorSet set);

}  // namespace slice

#if defined(__x86_64__)
#define SLICE_VECTOR_VARIANTS(name, body, parameters, arguments)         \
  __attribute__((target("avx2,fma"))) void name##Avx2 parameters {       \
    body arguments;                                                      \
  }                                                                      \
  void name##Portable parameters { body arguments; }                     \
  void name parameters {                                                 \
    static const bool has_avx2 = MachineVectorSet() >= VectorSet::kAvx2; \
    has_avx2 ? name##Avx2 arguments : name##Portable arguments;          \
  }
#define SLICE_VECTOR_KERNEL(name, body, parameters, arguments)                \
  __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma"))) void \
      name##Avx512 parameters {                                               \
    body<VectorSet::kAvx512> arguments;                                       \
  }                                                                           \
  __attribute__((target("avx2,fma"))) void name##Avx2 parameters {            \
    body<VectorSet::kAvx2> arguments;                                         \
  }                                                                           \
  void name##Portable parameters { body<VectorSet::kPortable> arguments; }    \
  void name parameters {                                                      \
    static const VectorSet set = MachineVectorSet();                          \
    switch (set) {                                                            \
      case VectorSet::kAvx512:                                                \
        return name##Avx512 arguments;                                        \
      case VectorSet::kAvx2:                                                  \
        return name##Avx2 arguments;                                          \
      case VectorSet::kPortable:                                              \
        return name##Portable arguments;                                      \
    }                                                                         \
  }
#else
#define SLICE_VECTOR_VARIANTS(name, body, parameters, arguments) \
  void name parameters { body arguments; }
#define SLICE_VECTOR_KERNEL(name, body, parameters, arguments)             \
  void name##Portable parameters { body<VectorSet::kPortable> arguments; } \
  void name parameters { name##Portable arguments; }
#endif

#endif  // SLICE_COMMON_VECTOR_VARIANTS_H_
