// One function body compiled for several instruction sets, of which
// MachineVectorSet() chooses one at run time. For .cc files only.
//
// SLICE_VECTOR_VARIANTS is for loops that the compiler itself turns into vector
// instructions:
//
//   SLICE_VECTOR_LOOP void ScaleBody(float* row, int size) { ... }
//   SLICE_VECTOR_VARIANTS(Scale, ScaleBody, (float* row, int size), (row,
//   size))
//
// defines Scale(row, size) with two variants: one for AVX2, one for every
// processor. Such loops are no faster with AVX-512.
//
// SLICE_VECTOR_KERNEL is for loops written with the vectors of
// common/vectors.h. It adds a variant for AVX-512, and its body is a template
// over VectorSet, the instruction set of the variant.
//
// A body must not contain lambdas: they would not inherit the instruction set.
#ifndef SLICE_COMMON_VECTOR_VARIANTS_H_
#define SLICE_COMMON_VECTOR_VARIANTS_H_

#include <string_view>

#define SLICE_VECTOR_LOOP inline __attribute__((always_inline))

namespace slice {

enum class VectorSet { kPortable, kAvx2, kAvx512 };

// The best set that this machine has and that LibTorch's environment variable
// ATEN_CPU_CAPABILITY allows. The value "avx2" allows kAvx2 at most, "default"
// only kPortable, and any other value every set. Constant for the whole
// process.
VectorSet MachineVectorSet();
// "avx512", "avx2" or "portable".
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
