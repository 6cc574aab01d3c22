#include "graphstore/store_directory.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"

namespace slice {

absl::StatusOr<std::filesystem::path> FindStore(
    const std::filesystem::path& data_dir) {
  std::error_code error;
  if (std::filesystem::exists(data_dir / "CURRENT", error) ||
      !std::filesystem::is_directory(data_dir / "graphs", error))
    return data_dir;
  std::vector<std::string> graphs;
  for (std::filesystem::directory_iterator entry(data_dir / "graphs", error),
       end;
       !error && entry != end; entry.increment(error)) {
    // These endings mark locks, and graphs that are being made or replaced, or
    // were set aside because they could not be read.
    const std::string extension = entry->path().extension();
    if (extension == ".partial" || extension == ".old" ||
        extension == ".lock" || extension.starts_with(".damaged-")) {
      continue;
    }
    graphs.push_back(entry->path().string());
  }
  std::sort(graphs.begin(), graphs.end());
  if (graphs.size() == 1) return std::filesystem::path(graphs.front());
  if (graphs.empty()) return data_dir;
  return absl::FailedPreconditionError(
      absl::StrCat(data_dir.string(), " holds ", graphs.size(),
                   " graphs; give one of them as data directory: ",
                   absl::StrJoin(graphs, ", ")));
}

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenGraphToRead(
    const std::filesystem::path& data_dir) {
  SLICE_ASSIGN_OR_RETURN(const auto directory, FindStore(data_dir));
  return RocksDbGraphStore::Open(
      {.directory = directory, .create_if_missing = false, .read_only = true});
}

}  // namespace slice
