// A library for LD_PRELOAD that simulates a CUDA device which is lost while a
// program runs.
//
//   SLICE_LOSE_DEVICE=FILE
//
// Once FILE exists, every start of a CUDA graph fails with
// cudaErrorIllegalAddress. The first one prints "device lost" on stderr. The
// CUDA runtime must be a shared library, because only then is the function
// replaced.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kIllegalAddress = 700;  // cudaErrorIllegalAddress

bool IsLost() {
  static const char* const file = std::getenv("SLICE_LOSE_DEVICE");
  static std::atomic<bool> lost = false;
  if (lost) return true;
  if (file == nullptr || access(file, F_OK) != 0) return false;
  if (!lost.exchange(true)) std::fprintf(stderr, "device lost\n");
  return true;
}

}  // namespace

extern "C" int cudaGraphLaunch(void* graph, void* stream) {
  using Launch = int (*)(void*, void*);
  static const auto real =
      reinterpret_cast<Launch>(dlsym(RTLD_NEXT, "cudaGraphLaunch"));
  if (IsLost() || real == nullptr) return kIllegalAddress;
  return real(graph, stream);
}
