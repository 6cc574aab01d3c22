#include "trainer/fit/step_fingerprint.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/sha256.h"

namespace slice {
namespace {

// Longer values, such as digests and lists, tell a reader nothing.
constexpr size_t kLongestShown = 40;
constexpr size_t kMostShown = 4;

std::string Text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string DescribeOne(const std::string& name, const std::string* before,
                        const std::string* now) {
  const auto is_short = [](const std::string* value) {
    return value != nullptr && !value->empty() &&
           value->size() <= kLongestShown;
  };
  if (is_short(before) && is_short(now)) {
    return absl::StrCat(name, " was ", *before, " and is ", *now);
  }
  return absl::StrCat(name, " changed");
}

}  // namespace

StepFingerprint MakeStepFingerprint(const std::string& name,
                                    const nlohmann::json& parts,
                                    StepParts inherited) {
  StepFingerprint fingerprint{"", std::move(inherited)};
  for (const auto& [part, value] : parts.items()) {
    fingerprint.parts[part] = Text(value);
  }
  fingerprint.digest = Sha256Bytes(
      nlohmann::json{{"name", name}, {"parts", fingerprint.parts}}.dump());
  return fingerprint;
}

std::string DescribeChange(const StepParts& before, const StepParts& now) {
  const auto find = [](const StepParts& parts, const std::string& name) {
    const auto found = parts.find(name);
    return found == parts.end() ? nullptr : &found->second;
  };
  std::vector<std::string> changes;
  for (const auto& [name, value] : now) {
    const std::string* const old = find(before, name);
    if (old == nullptr || *old != value) {
      changes.push_back(DescribeOne(name, old, &value));
    }
  }
  for (const auto& [name, value] : before) {
    if (find(now, name) == nullptr) {
      changes.push_back(DescribeOne(name, &value, nullptr));
    }
  }
  const size_t shown = std::min(changes.size(), kMostShown);
  std::string text =
      absl::StrJoin(changes.begin(), changes.begin() + shown, "; ");
  if (shown < changes.size()) {
    absl::StrAppend(&text, "; and ", changes.size() - shown, " more changed");
  }
  return text;
}

}  // namespace slice
