#include "common/available_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "absl/strings/numbers.h"

namespace slice {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kBytesPerMib = 1 << 20;
constexpr size_t kLongestNumber = 40;

std::string ReadText(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The bytes that a file states as one number. Infinite for "max", or when there
// is no such file.
double BytesIn(const char* path) {
  int64_t bytes = 0;
  const std::string text = ReadText(path);
  return absl::SimpleAtoi(text, &bytes) ? static_cast<double>(bytes)
                                        : kInfinite;
}

}  // namespace

double NumberAfter(std::string_view field, std::string_view text) {
  const size_t at = text.find(field);
  if (at == std::string_view::npos) return kInfinite;
  const std::string rest(text.substr(at + field.size(), kLongestNumber));
  const char* begin = rest.c_str();
  char* end = nullptr;
  const double number = std::strtod(begin, &end);
  return end == begin ? kInfinite : number;
}

double AvailableMemoryMib() {
  // A container sees the files of its own control group here. The group's file
  // cache is freed when memory runs short, so it does not count as held.
  const double limit = BytesIn("/sys/fs/cgroup/memory.max");
  const double held =
      NumberAfter("anon ", ReadText("/sys/fs/cgroup/memory.stat"));
  const double allowed =
      limit == kInfinite || held == kInfinite ? limit : limit - held;
  const double free_kib =
      NumberAfter("MemAvailable:", ReadText("/proc/meminfo"));
  return std::min(free_kib / 1024, std::max(0.0, allowed) / kBytesPerMib);
}

}  // namespace slice
