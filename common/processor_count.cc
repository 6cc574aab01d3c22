// Where the kernel states the limits:
//
// - The processors that are online, and those that the affinity mask allows,
//   are lists such as "0-3,8". The mask may name processors that are not
//   online, so the two lists are intersected.
// - /proc/self/cgroup has a line "number:controllers:path" for each hierarchy
//   of control groups. The line of version 2 has no controllers; a line of
//   version 1 may list "cpu" among others.
// - The path starts at the root of the hierarchy. Inside a container only a
//   part of the hierarchy is mounted, from the mount's own root downwards.
//   /proc/self/mountinfo has that root and where it is mounted (proc(5)).
// - A group gets at most what the groups above it get. So the smallest quota
//   counts, from the process's own group up to the root of the mount.
#include "common/processor_count.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr int kMostProcessors = 1 << 16;

// Where a hierarchy of control groups that can limit processor time is mounted.
struct GroupMount {
  bool version2 = false;
  fs::path root;   // the group of the hierarchy that the mount shows
  fs::path point;  // where it is mounted
};

std::string ReadText(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The processors of a list such as "0-3,8"; none for any other text.
std::set<int> ParseList(absl::string_view text) {
  std::set<int> numbers;
  for (absl::string_view range :
       absl::StrSplit(absl::StripAsciiWhitespace(text), ',')) {
    const std::pair<std::string, std::string> ends =
        absl::StrSplit(range, absl::MaxSplits('-', 1));
    int first = 0, last = 0;
    if (!absl::SimpleAtoi(ends.first, &first)) return {};
    last = first;
    if (!ends.second.empty() && !absl::SimpleAtoi(ends.second, &last)) {
      return {};
    }
    for (int i = first; i <= std::min(last, kMostProcessors); ++i) {
      numbers.insert(i);
    }
  }
  return numbers;
}

std::set<int> AllowedProcessors(const fs::path& root) {
  const std::string status = ReadText(root / "proc/self/status");
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    if (absl::ConsumePrefix(&line, "Cpus_allowed_list:")) {
      return ParseList(line);
    }
  }
  return {};
}

void ReadProcessors(const fs::path& root, ProcessorShare& share) {
  const std::set<int> online =
      ParseList(ReadText(root / "sys/devices/system/cpu/online"));
  std::set<int> allowed = AllowedProcessors(root);
  if (!online.empty()) {
    std::erase_if(allowed,
                  [&online](int number) { return !online.contains(number); });
  }
  const int known =
      static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  share.online = online.empty() ? known : static_cast<int>(online.size());
  share.allowed =
      allowed.empty() ? share.online : static_cast<int>(allowed.size());
}

// A path of mountinfo, where blanks are written as octal numbers.
std::string Unescaped(absl::string_view field) {
  return absl::StrReplaceAll(
      field, {{"\\040", " "}, {"\\011", "\t"}, {"\\134", "\\"}});
}

bool ListContains(absl::string_view names, absl::string_view name) {
  const std::vector<absl::string_view> parts = absl::StrSplit(names, ',');
  return std::find(parts.begin(), parts.end(), name) != parts.end();
}

// Reads mountinfo, whose lines are "id parent device root point options ... -
// type source options".
std::vector<GroupMount> GroupMounts(const fs::path& root) {
  std::vector<GroupMount> mounts;
  const std::string text = ReadText(root / "proc/self/mountinfo");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> halves = absl::StrSplit(line, " - ");
    if (halves.size() != 2) continue;
    const std::vector<absl::string_view> left = absl::StrSplit(halves[0], ' ');
    const std::vector<absl::string_view> right = absl::StrSplit(halves[1], ' ');
    if (left.size() < 5 || right.size() < 3) continue;
    const bool version2 = right[0] == "cgroup2";
    if (version2 || (right[0] == "cgroup" && ListContains(right[2], "cpu"))) {
      mounts.push_back({version2, Unescaped(left[3]), Unescaped(left[4])});
    }
  }
  return mounts;
}

// The path of this process's group within its hierarchy; empty when there is
// none.
fs::path OwnGroup(const fs::path& root, bool version2) {
  const std::string text = ReadText(root / "proc/self/cgroup");
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> fields =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() != 3) continue;
    if (version2 ? fields[1].empty() : ListContains(fields[1], "cpu")) {
      return fields[2];
    }
  }
  return {};
}

// The quota of one group: how many processors' time it may use. Infinite when
// it has no quota. Sets `file` to the file that states the quota.
double QuotaOf(const fs::path& group, bool version2, fs::path* file) {
  std::string quota, period;
  if (version2) {
    *file = group / "cpu.max";
    const std::string text = ReadText(*file);
    const std::vector<std::string> fields =
        absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
    if (fields.size() == 2) {
      quota = fields[0];
      period = fields[1];
    }
  } else {
    *file = group / "cpu.cfs_quota_us";
    quota = ReadText(*file);
    period = ReadText(group / "cpu.cfs_period_us");
  }
  double time = 0, of = 0;  // "max" and -1 say that there is no quota
  if (absl::SimpleAtod(quota, &time) && absl::SimpleAtod(period, &of) &&
      time > 0 && of > 0) {
    return time / of;
  }
  return std::numeric_limits<double>::infinity();
}

// Lowers the quota of `share` to the smallest one of the groups from the
// process's own up to the root of the mount.
void ReadQuota(const fs::path& root, const GroupMount& mount,
               ProcessorShare& share) {
  const fs::path own = OwnGroup(root, mount.version2);
  if (own.empty()) return;
  // The limits of a group that the mount does not show are hidden, but those of
  // the mount's root hold for it too.
  const fs::path below = own.lexically_relative(mount.root);
  const bool seen = !below.empty() && below != "." && *below.begin() != "..";
  fs::path group = seen ? mount.point / below : mount.point;
  while (true) {
    fs::path file;
    const double quota =
        QuotaOf(root / group.relative_path(), mount.version2, &file);
    if (quota < share.quota) {
      share.quota = quota;
      share.quota_file = "/" / file.lexically_relative(root);
    }
    if (group == mount.point || !group.has_relative_path()) return;
    group = group.parent_path();
  }
}

}  // namespace

int ProcessorShare::Count() const {
  if (quota >= allowed) return allowed;
  return std::max(1, static_cast<int>(std::ceil(quota)));
}

std::string ProcessorShare::Limit() const {
  if (quota < allowed) {
    return absl::StrCat("a quota of ", quota, " of ", allowed, " processors (",
                        quota_file.string(), ")");
  }
  if (allowed < online) {
    return absl::StrCat("an affinity mask of ", allowed, " of ", online,
                        " processors");
  }
  return "";
}

ProcessorShare ReadProcessorShare(const fs::path& root) {
  ProcessorShare share;
  ReadProcessors(root, share);
  for (const GroupMount& mount : GroupMounts(root)) {
    ReadQuota(root, mount, share);
  }
  return share;
}

const ProcessorShare& OwnProcessorShare() {
  static const auto* const share = new ProcessorShare(ReadProcessorShare());
  return *share;
}

int ProcessorCount() { return OwnProcessorShare().Count(); }

}  // namespace slice
