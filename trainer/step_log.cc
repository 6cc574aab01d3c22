#include "trainer/step_log.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/peak_memory.h"
#include "common/progress.h"
#include "common/status_macros.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// The record of a finished step with this fingerprint, or null.
Json ReadRecord(const std::filesystem::path& path,
                const std::string& fingerprint) {
  const auto text = ReadFile(path);
  if (!text.ok()) return nullptr;
  Json record = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  const bool complete = record.is_object() && record.contains("summary") &&
                        record.contains("seconds") &&
                        record.value("fingerprint", "") == fingerprint;
  return complete ? record : Json(nullptr);
}

}  // namespace

StepLog::StepLog(std::filesystem::path work_directory, int step_count)
    : work_directory_(std::move(work_directory)), step_count_(step_count) {}

absl::StatusOr<Json> StepLog::Run(
    const std::string& name, const std::string& fingerprint,
    const std::function<absl::StatusOr<Json>()>& body) {
  const std::filesystem::path directory = work_directory_ / "steps";
  const std::filesystem::path path = directory / (name + ".json");
  const std::string title =
      absl::StrCat("step ", times_.size() + 1, "/", step_count_, ": ", name);
  const Json record = ReadRecord(path, fingerprint);
  if (record.is_object()) {
    const double seconds = record["seconds"].get<double>();
    LogInfo("%s: done before (%s)", title, FormatSeconds(seconds));
    times_.push_back({name, seconds, record.value("peak_mib", 0.0)});
    return record["summary"];
  }
  LogInfo("%s", title);
  const absl::Time start = absl::Now();
  ResetPeakMemory();
  SLICE_ASSIGN_OR_RETURN(const Json summary, body());
  const double seconds = absl::ToDoubleSeconds(absl::Now() - start);
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
  const double peak_mib = PeakMemoryMib();
  const Json finished = {{"fingerprint", fingerprint},
                         {"seconds", seconds},
                         {"peak_mib", peak_mib},
                         {"summary", summary}};
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(path, finished.dump(2) + "\n"));
  times_.push_back({name, seconds, peak_mib});
  return summary;
}

std::string StepFingerprint(const std::string& name,
                            const std::vector<std::string>& inputs,
                            const Json& options) {
  return Sha256Bytes(
      Json{{"name", name}, {"inputs", inputs}, {"options", options}}.dump());
}

}  // namespace slice
