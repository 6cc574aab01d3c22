#include "common/available_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace slice {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kBytesPerMib = 1 << 20;
constexpr size_t kLongestNumber = 40;

namespace fs = std::filesystem;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The bytes that a file states as one number. Infinite for "max", or when there
// is no such file.
double BytesIn(const fs::path& path) {
  int64_t bytes = 0;
  const std::string text = ReadText(path);
  return absl::SimpleAtoi(text, &bytes) ? static_cast<double>(bytes)
                                        : kInfinite;
}

// The path of this process's group below the mount of version 2. Empty for the
// group at the mount itself, which is the own group inside a container.
fs::path OwnGroup(const fs::path& root) {
  const std::string text = ReadText(root / "proc/self/cgroup");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "0::/")) return std::string(line);
  }
  return {};
}

// The group's file cache is freed when memory runs short, so it does not count
// as held.
double MemoryLeftBy(const fs::path& group) {
  const double limit = BytesIn(group / "memory.max");
  const double held = NumberAfter("anon ", ReadText(group / "memory.stat"));
  if (limit == kInfinite || held == kInfinite) return limit;
  return std::max(0.0, limit - held);
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

double MemoryLeftByGroups(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  fs::path group = OwnGroup(root);
  double left = MemoryLeftBy(mount / group);
  while (!group.empty()) {
    group = group.parent_path();
    left = std::min(left, MemoryLeftBy(mount / group));
  }
  return left;
}

double AvailableMemoryMib() {
  const double free_kib =
      NumberAfter("MemAvailable:", ReadText("/proc/meminfo"));
  return std::min(free_kib / 1024, MemoryLeftByGroups("/") / kBytesPerMib);
}

}  // namespace slice
