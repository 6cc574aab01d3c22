#include "server/access/call_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/random.h"
#include "common/status_macros.h"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

constexpr Rate kLines = {.per_second = 1000, .burst = 5000};
constexpr int kMode = 0640;
constexpr size_t kLongestText = 256;  // of what a caller chose

// Callers choose some texts, so they may hold anything. Control characters and
// wrong UTF-8 are escaped when the JSON is written.
std::string Cut(std::string_view text) {
  return std::string(text.substr(0, kLongestText));
}

std::string LineOf(const Json& fields) {
  return fields.dump(-1, ' ', /*ensure_ascii=*/true,
                     Json::error_handler_t::replace);
}

int OpenToAppend(const std::filesystem::path& path) {
  return open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
}

}  // namespace

CallLog::File::File(std::filesystem::path its_path, int fd, const Clock* clock)
    : path(std::move(its_path)), descriptor(fd), writer(fd, kLines, clock) {}

absl::StatusOr<std::unique_ptr<CallLog>> CallLog::Open(
    const CallLogOptions& options, const Clock* clock) {
  std::unique_ptr<CallLog> log(new CallLog(options, clock));
  SLICE_ASSIGN_OR_RETURN(log->audit_, log->OpenFile(options.audit_file));
  SLICE_ASSIGN_OR_RETURN(log->access_, log->OpenFile(options.access_file));
  return log;
}

absl::StatusOr<std::unique_ptr<CallLog::File>> CallLog::OpenFile(
    const std::filesystem::path& path) const {
  if (path.empty()) return nullptr;
  const int fd = OpenToAppend(path);
  if (fd < 0) return FileError("open", path, errno);
  return std::make_unique<File>(path, fd, clock_);
}

absl::Status CallLog::Reopen() {
  for (const File* file : {audit_.get(), access_.get()}) {
    if (file == nullptr) continue;
    const FileDescriptor next(OpenToAppend(file->path));
    // The number stays, so that writers go on without noticing.
    if (!next.ok() || dup3(next.get(), file->descriptor.get(), O_CLOEXEC) < 0) {
      return FileError("open", file->path, errno);
    }
  }
  return absl::OkStatus();
}

bool CallLog::Samples() {
  if (access_ == nullptr || options_.access_share <= 0) return false;
  // The golden ratio spreads any share evenly over the calls.
  const double place =
      0.6180339887498949 *
      static_cast<double>(calls_.fetch_add(1, std::memory_order_relaxed));
  return place - std::floor(place) < options_.access_share;
}

std::string CallLog::TimeText() const {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", clock_->Now(),
                          absl::UTCTimeZone());
}

void CallLog::WriteAudit(const std::string& line) {
  if (audit_ != nullptr) {
    audit_->writer.Write(line);
  } else {
    LogInfo("audit %s", line);
  }
}

void CallLog::Ended(const CallNote& note, const CallEnd& end) {
  Json fields = {{"time", TimeText()},
                 {"event", "call"},
                 {"method", note.method},
                 {"identity", Cut(note.identity)},
                 {"peer", note.peer},
                 {"trace", note.trace},
                 {"code", absl::StatusCodeToString(
                              static_cast<absl::StatusCode>(end.code))},
                 {"seconds", absl::ToDoubleSeconds(end.took)}};
  if (!end.model.empty()) fields["model"] = end.model;
  for (const StageTime& one : end.stages) {
    fields["stages"][one.stage] = absl::ToDoubleSeconds(one.took);
  }
  const std::string line = LineOf(fields);
  if (note.audited) {
    WriteAudit(line);
  } else if (access_ != nullptr) {
    access_->writer.Write(line);
  }
}

void CallLog::Refused(std::string_view method, std::string_view identity,
                      std::string_view peer, const absl::Status& why) {
  WriteAudit(LineOf({{"time", TimeText()},
                     {"event", "refused"},
                     {"method", Cut(method)},
                     {"identity", Cut(identity)},
                     {"peer", Cut(peer)},
                     {"code", absl::StatusCodeToString(why.code())},
                     {"why", Cut(std::string_view(why.message().data(),
                                                  why.message().size()))}}));
}

std::string TraceIdOf(std::string_view traceparent) {
  constexpr size_t kVersion = 3, kTrace = 32;
  if (traceparent.size() < kVersion + kTrace + 1 || traceparent[2] != '-' ||
      traceparent[kVersion + kTrace] != '-') {
    return "";
  }
  const std::string_view trace = traceparent.substr(kVersion, kTrace);
  for (const char c : trace) {
    if (!absl::ascii_isdigit(c) && (c < 'a' || c > 'f')) return "";
  }
  return std::string(trace);
}

}  // namespace slice
