#include "trainer/methods/run_files.h"

#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/npy_file.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr char kVectors[] = "embeddings.npy";
constexpr char kKeys[] = "embeddings.keys";

}  // namespace

absl::Status RemoveRunFiles(const std::filesystem::path& folder) {
  // The report first: a folder without it holds no finished run.
  for (const char* name : {"report.json", "report.html", "report.txt",
                           kTestScoresFile, kVectors, kKeys}) {
    std::error_code error;
    std::filesystem::remove(folder / name, error);
    if (error) {
      return absl::InternalError(absl::StrCat(
          "cannot remove ", (folder / name).string(), ": ", error.message()));
    }
  }
  return absl::OkStatus();
}

absl::Status WriteScoresAndVectors(const std::filesystem::path& folder,
                                   const TestScores& scores,
                                   const NodeEmbeddings& embeddings,
                                   const GraphSnapshot& snapshot) {
  SLICE_RETURN_IF_ERROR(WriteTestScores(folder, scores));
  if (embeddings.empty()) return absl::OkStatus();
  std::string keys;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    absl::StrAppend(&keys, std::string(snapshot.Key(node)), "\n");
  }
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(folder / kKeys, keys));
  return WriteNpyMatrix(folder / kVectors, embeddings.values, embeddings.dim);
}

}  // namespace slice
