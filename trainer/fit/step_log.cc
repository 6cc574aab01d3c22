// Records of finished steps. `steps/<name>.json` is an object with
//   fingerprint   the digest of what the step depends on (StepFingerprint)
//   parts         {name: value} of what it depends on
//   seconds       the time its body took
//   peak_mib      the most memory that the process held meanwhile
//   files         {path in the work directory: SHA-256} of the files it wrote
//   summary       the value that its body returned
//   sha256        of the record without this member, as compact JSON
// A step is done again when its record is missing or damaged, has another
// fingerprint, or names a file that has changed since.
#include "trainer/fit/step_log.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/peak_memory.h"
#include "common/progress.h"
#include "common/sha256.h"
#include "common/status_macros.h"

namespace slice {
namespace {

using Json = nlohmann::json;

namespace fs = std::filesystem;

constexpr char kStepsFolder[] = "steps";

// The properties of a file that change when the file is written.
struct FileState {
  uint64_t size = 0;
  fs::file_time_type written;

  bool operator==(const FileState&) const = default;
};
using FileStates = std::map<std::string, FileState>;  // by path

// The files below `directory` without the records of steps.
FileStates FilesBelow(const fs::path& directory) {
  FileStates files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name =
        entry->path().lexically_relative(directory).string();
    if (name == kStepsFolder) entry.disable_recursion_pending();
    std::error_code gone;
    if (!entry->is_regular_file(gone)) continue;
    files[name] = {entry->file_size(gone), entry->last_write_time(gone)};
  }
  return files;
}

// The digests of the files that are new or changed since `before`.
absl::StatusOr<Json> DigestsOfNew(const fs::path& directory,
                                  const FileStates& before) {
  Json digests = Json::object();
  for (const auto& [name, state] : FilesBelow(directory)) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == state) continue;
    SLICE_ASSIGN_OR_RETURN(digests[name], Sha256File(directory / name));
  }
  return digests;
}

// The record with a digest of itself.
std::string SealedText(Json record) {
  record["sha256"] = Sha256Bytes(record.dump());
  return record.dump(2) + "\n";
}

// The record in a file; null when the file is missing or is not, byte by byte,
// what SealedText writes. (The values alone do not tell: 1e-05 and 1E-05 are
// one number.)
Json ReadSealed(const fs::path& path) {
  const auto text = ReadFile(path);
  if (!text.ok()) return nullptr;
  Json record = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!record.is_object()) return nullptr;
  record.erase("sha256");
  return *text == SealedText(record) ? record : Json(nullptr);
}

// Why a record cannot stand for its step; empty when it can.
std::string WhyAgain(const fs::path& directory, const Json& record,
                     const StepFingerprint& fingerprint) {
  if (record["fingerprint"] != fingerprint.digest) {
    const std::string change =
        DescribeChange(record.value("parts", StepParts()), fingerprint.parts);
    return change.empty() || !record.contains("parts")
               ? "another version of slice recorded it"
               : change;
  }
  for (const auto& [file, digest] : record["files"].items()) {
    const auto now = Sha256File(directory / file);
    if (now.ok() && digest == *now) continue;
    return absl::StrCat((directory / file).string(),
                        " has changed or is missing");
  }
  return "";
}

// The record of a finished step with this fingerprint, or null. A log line says
// why a record does not count.
Json ReadRecord(const fs::path& directory, const std::string& name,
                const StepFingerprint& fingerprint) {
  const Json record =
      ReadSealed(directory / kStepsFolder / absl::StrCat(name, ".json"));
  if (!record.is_object()) return nullptr;
  const std::string why = WhyAgain(directory, record, fingerprint);
  if (why.empty()) return record;
  LogInfo("step %s runs again: %s", name, why);
  return nullptr;
}

std::string ResultDigest(const Json& record) {
  return Sha256Bytes(
      Json{record["fingerprint"], record["files"], record["summary"]}.dump());
}

}  // namespace

StepLog::StepLog(fs::path work_directory, int step_count)
    : work_directory_(std::move(work_directory)), step_count_(step_count) {}

absl::StatusOr<Json> StepLog::Run(
    const std::string& name, const StepFingerprint& fingerprint,
    const std::function<absl::StatusOr<Json>()>& body) {
  const fs::path directory = work_directory_ / kStepsFolder;
  const std::string title =
      absl::StrCat("step ", times_.size() + 1, "/", step_count_, ": ", name);
  const Json record = ReadRecord(work_directory_, name, fingerprint);
  if (record.is_object()) {
    const double seconds = record["seconds"].get<double>();
    LogInfo("%s: done before (%s)", title, FormatSeconds(seconds));
    times_.push_back({name, seconds, record["peak_mib"].get<double>()});
    result_digest_ = ResultDigest(record);
    return record["summary"];
  }
  LogInfo("%s", title);
  const absl::Time start = absl::Now();
  ResetPeakMemory();
  const FileStates before = FilesBelow(work_directory_);
  SLICE_ASSIGN_OR_RETURN(const Json summary, body());
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
  const double peak_mib = PeakMemoryMib();
  SLICE_ASSIGN_OR_RETURN(const Json files,
                         DigestsOfNew(work_directory_, before));
  const Json finished = {{"fingerprint", fingerprint.digest},
                         {"parts", fingerprint.parts},
                         {"seconds", seconds},
                         {"peak_mib", peak_mib},
                         {"files", files},
                         {"summary", summary}};
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(directory / (name + ".json"), SealedText(finished)));
  times_.push_back({name, seconds, peak_mib});
  result_digest_ = ResultDigest(finished);
  return summary;
}

void StepLog::Forget(const std::string& name) {
  std::error_code error;
  fs::remove(work_directory_ / kStepsFolder / (name + ".json"), error);
}

}  // namespace slice
