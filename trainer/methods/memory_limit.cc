#include "trainer/methods/memory_limit.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"

namespace slice {
namespace {

constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();

// The number behind `word` in a file of words and numbers; with no word the
// first of the file.
std::optional<uint64_t> ReadNumber(const char* path, std::string_view word) {
  std::ifstream file(path);
  std::string read;
  uint64_t number = 0;
  if (word.empty()) {
    return file >> number ? std::optional(number) : std::nullopt;
  }
  while (file >> read) {
    if (read == word && file >> number) return number;
  }
  return std::nullopt;
}

// Of a control group, version 2. Its file cache can go, so it does not count.
uint64_t LeftInGroup() {
  const auto limit = ReadNumber("/sys/fs/cgroup/memory.max", "");
  const auto held = ReadNumber("/sys/fs/cgroup/memory.stat", "anon");
  if (!limit || !held) return kUnknown;
  return *limit - std::min(*limit, *held);
}

}  // namespace

uint64_t AvailableMemoryBytes() {
  const auto kib = ReadNumber("/proc/meminfo", "MemAvailable:");
  return std::min(kib ? *kib * 1024 : kUnknown, LeftInGroup());
}

absl::Status RequireMemory(std::string_view what, uint64_t needed_bytes,
                           uint64_t available_bytes, std::string_view remedy) {
  if (needed_bytes <= available_bytes) return absl::OkStatus();
  constexpr double kGib = 1024.0 * 1024 * 1024;
  return absl::ResourceExhaustedError(absl::StrFormat(
      "%s needs about %.1f GiB of memory and %.1f GiB are available; %s takes "
      "less",
      what, static_cast<double>(needed_bytes) / kGib,
      static_cast<double>(available_bytes) / kGib, remedy));
}

}  // namespace slice
