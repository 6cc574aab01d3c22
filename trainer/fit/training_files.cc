#include "trainer/fit/training_files.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

absl::Status CheckGiven(const char* flag, const std::filesystem::path& path,
                        const char* way_out) {
  if (!path.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, " is missing", way_out));
}

absl::Status CheckLeftOut(const char* flag, const std::filesystem::path& path,
                          const char* place) {
  if (path.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(place, " and --", flag,
                   " exclude each other: give one file to split with --links, "
                   "or three files with --train, --valid and --test, or a "
                   "store with --from-store"));
}

}  // namespace

absl::Status TrainingFiles::ValidateFiles() const {
  constexpr char kWayOut[] =
      "; or give one file of links, which is then split, with --links";
  if (graph_version.has_value() && from_store.empty()) {
    return absl::InvalidArgumentError("--graph-version needs --from-store");
  }
  if (!new_to.empty() && !splits_links()) {
    return absl::InvalidArgumentError(
        "--new-to needs --links or --from-store, whose links are split");
  }
  // Fit itself names the files that it made of the store.
  if (!from_store.empty() && !store_graph &&
      (!split.links.empty() || !nodes.empty())) {
    return absl::InvalidArgumentError(
        "--from-store brings the links and the nodes; leave --links and "
        "--nodes out");
  }
  const char* place = from_store.empty() ? "--links" : "--from-store";
  const auto check = [&](const char* flag, const std::filesystem::path& path) {
    return splits_links() ? CheckLeftOut(flag, path, place)
                          : CheckGiven(flag, path, kWayOut);
  };
  SLICE_RETURN_IF_ERROR(check("train", train));
  SLICE_RETURN_IF_ERROR(check("valid", valid));
  SLICE_RETURN_IF_ERROR(check("test", test));
  return split.Validate();
}

}  // namespace slice
