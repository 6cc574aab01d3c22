#include "common/available_memory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace slice {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kBytesPerMib = 1 << 20;

std::string ReadText(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Of a file that holds one number; infinite for "max" or no such file.
double BytesIn(const char* path) {
  int64_t bytes = 0;
  const std::string text = ReadText(path);
  return absl::SimpleAtoi(text, &bytes) ? static_cast<double>(bytes)
                                        : kInfinite;
}

}  // namespace

double MemAvailableMib(std::string_view meminfo) {
  constexpr std::string_view kField = "MemAvailable:";
  const size_t at = meminfo.find(kField);
  if (at == std::string_view::npos) return kInfinite;
  const std::string_view rest = meminfo.substr(at + kField.size());
  int64_t kib = 0;
  const std::string number(
      absl::StripAsciiWhitespace(std::string(rest.substr(0, rest.find("kB")))));
  return absl::SimpleAtoi(number, &kib) ? static_cast<double>(kib) / 1024
                                        : kInfinite;
}

double AvailableMemoryMib() {
  // A container sees its own control group there.
  const double limit = BytesIn("/sys/fs/cgroup/memory.max");
  const double used = BytesIn("/sys/fs/cgroup/memory.current");
  const double allowed =
      limit == kInfinite || used == kInfinite ? limit : limit - used;
  return std::min(MemAvailableMib(ReadText("/proc/meminfo")),
                  std::max(0.0, allowed) / kBytesPerMib);
}

}  // namespace slice
