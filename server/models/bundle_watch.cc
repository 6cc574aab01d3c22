#include "server/models/bundle_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// What changes when a bundle is replaced, or a link to it is. Empty where there
// is none.
std::string StateOf(const fs::path& bundle) {
  std::error_code error;
  const fs::path real = fs::canonical(bundle, error);
  struct stat info = {};
  if (error || stat((real / "MANIFEST.json").c_str(), &info) != 0) return "";
  return absl::StrCat(real.string(), " ", info.st_ino, " ", info.st_size, " ",
                      info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec);
}

}  // namespace

void BundleWatch::Add(const std::string& name, const fs::path& bundle) {
  watched_[name] = {.bundle = bundle, .loaded = StateOf(bundle)};
}

std::vector<BundleWatch::Due> BundleWatch::Look(absl::Time now) const {
  std::vector<Due> due;
  for (const auto& [name, watched] : watched_) {
    std::string state = StateOf(watched.bundle);
    // Between two versions there may be nothing for a moment.
    if (state.empty() || state == watched.loaded) continue;
    if (state == watched.failed && now < watched.next_try) continue;
    due.push_back({name, watched.bundle, std::move(state)});
  }
  return due;
}

void BundleWatch::Loaded(const Due& due) {
  Watched* const watched = Find(due);
  if (watched == nullptr) return;
  *watched = {.bundle = due.bundle, .loaded = due.state};
}

bool BundleWatch::Failed(const Due& due, std::string_view error,
                         absl::Time now) {
  Watched* const watched = Find(due);
  if (watched == nullptr) return true;
  const bool is_first = watched->failed != due.state;
  watched->delay =
      is_first ? kFirstDelay : std::min(2 * watched->delay, kLongestDelay);
  watched->next_try = now + watched->delay;
  watched->failed = due.state;
  const bool is_new = is_first || watched->error != error;
  watched->error = std::string(error);
  return is_new;
}

BundleWatch::Watched* BundleWatch::Find(const Due& due) {
  const auto found = watched_.find(due.name);
  const bool is_it =
      found != watched_.end() && found->second.bundle == due.bundle;
  return is_it ? &found->second : nullptr;
}

}  // namespace slice
