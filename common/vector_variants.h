// One function body compiled for several instruction sets, chosen at run time.
// For .cc files whose loops the compiler turns into vector instructions.
//
//   SLICE_VECTOR_LOOP void ScaleBody(float* row, int size) { ... }
//   SLICE_VECTOR_VARIANTS(Scale, ScaleBody, (float* row, int size), (row,
//   size))
//
// makes Scale(row, size). The body must not hold lambdas: they would not
// inherit the instruction set.
#ifndef SLICE_COMMON_VECTOR_VARIANTS_H_
#define SLICE_COMMON_VECTOR_VARIANTS_H_

#define SLICE_VECTOR_LOOP inline __attribute__((always_inline))

#if defined(__x86_64__)
#define SLICE_VECTOR_VARIANTS(name, body, parameters, arguments)         \
  __attribute__((target("avx2,fma"))) void name##Avx2 parameters {       \
    body arguments;                                                      \
  }                                                                      \
  void name##Portable parameters { body arguments; }                     \
  void name parameters {                                                 \
    static const bool has_avx2 =                                         \
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); \
    has_avx2 ? name##Avx2 arguments : name##Portable arguments;          \
  }
#else
#define SLICE_VECTOR_VARIANTS(name, body, parameters, arguments) \
  void name parameters { body arguments; }
#endif

#endif  // SLICE_COMMON_VECTOR_VARIANTS_H_
