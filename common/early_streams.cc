// gRPC 1.51 takes what is not agreed yet from its table of settings (core's
// ext/transport/chttp2/transport/http2_settings.h). The table is found by its
// name in libgrpc.so. It can only be read, until its page is made writable.
#include "common/early_streams.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <limits>
#include <string_view>

namespace slice {
namespace {

struct Setting {
  const char* name;
  uint32_t default_value;
  uint32_t min_value;
  uint32_t max_value;
  int when_invalid;
  uint32_t error;
};

constexpr int kStreams = 2;  // its place in the table

bool SetReadOnly(uint32_t* place, uint32_t value) {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  void* const page = reinterpret_cast<void*>(
      reinterpret_cast<uintptr_t>(place) / page_bytes * page_bytes);
  if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  *place = value;
  mprotect(page, page_bytes, PROT_READ);
  return true;
}

}  // namespace

bool LimitEarlyStreams(uint32_t most) {
  auto* const settings = static_cast<Setting*>(
      dlsym(RTLD_DEFAULT, "grpc_chttp2_settings_parameters"));
  if (settings == nullptr) return false;
  Setting& streams = settings[kStreams];
  constexpr auto kNoLimit = std::numeric_limits<uint32_t>::max();
  if (std::string_view(streams.name) != "MAX_CONCURRENT_STREAMS" ||
      streams.default_value != kNoLimit || streams.max_value != kNoLimit) {
    return false;
  }
  return SetReadOnly(&streams.default_value, most);
}

}  // namespace slice
