// Who called what, in lines of JSON: an audit of what must be known of every
// call, and a sample of all calls.
//
//   {"time":"2026-05-01T10:00:00.123Z","event":"call","method":"slice.v1...",
//    "identity":"shop","peer":"ipv4:10.0.0.7:50432","trace":"4bf92f...",
//    "code":"OK","seconds":0.0012,"model":"amazon@b7c1",
//    "stages":{"queue":0.0001,"context":0.0006,"model":0.0004}}
//
// Only calls that a model answers have a model and stages.
#ifndef SLICE_SERVER_ACCESS_CALL_LOG_H_
#define SLICE_SERVER_ACCESS_CALL_LOG_H_

#include <atomic>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/file_descriptor.h"
#include "common/line_writer.h"

namespace slice {

struct CallLogOptions {
  std::filesystem::path audit_file = {};   // empty: the log of the server
  std::filesystem::path access_file = {};  // empty: none
  double access_share = 0.01;              // of calls that get an access line
};

// A call that is logged when it ends.
struct CallNote {
  std::string method;         // "slice.v1.AdminService/GetQueueState"
  std::string identity = "";  // Caller::name
  std::string peer = "";
  std::string trace = "";  // 32 digits of a W3C trace context; may be empty
  bool audited = false;
};

// How long a stage of the work on a call took. The names are those of the
// metrics (server/metric_labels.h).
struct StageTime {
  const char* stage = "";
  absl::Duration took;
};

// How a call ended.
struct CallEnd {
  int code = 0;  // of gRPC
  absl::Duration took;
  // The version that answered, "MODEL@BUNDLE_ID"; empty: none did.
  std::string model = "";
  std::span<const StageTime> stages = {};
};

// Thread-safe. At most a thousand lines a second are written to each file; how
// many were left out is said.
class CallLog {
 public:
  // Appends to the files, which are made with mode 640. Returns the errors of
  // opening them. `clock` must outlive the log.
  static absl::StatusOr<std::unique_ptr<CallLog>> Open(
      const CallLogOptions& options, const Clock* clock);

  // Opens the files again, which may have been renamed meanwhile.
  absl::Status Reopen();

  // Whether the next call is one of the sample.
  bool Samples();

  // A call has ended: writes its audit line or its access line.
  void Ended(const CallNote& note, const CallEnd& end);
  // Writes the audit line of a call that was refused before its handler. `peer`
  // is empty where it is not known.
  void Refused(std::string_view method, std::string_view identity,
               std::string_view peer, const absl::Status& why);

 private:
  // One of the two files.
  struct File {
    File(std::filesystem::path its_path, int fd, const Clock* clock);

    const std::filesystem::path path;
    const FileDescriptor descriptor;
    LineWriter writer;
  };

  CallLog(const CallLogOptions& options, const Clock* clock)
      : options_(options), clock_(clock) {}
  absl::StatusOr<std::unique_ptr<File>> OpenFile(
      const std::filesystem::path& path) const;
  std::string TimeText() const;
  void WriteAudit(const std::string& line);

  const CallLogOptions options_;
  const Clock* const clock_;
  std::unique_ptr<File> audit_, access_;  // null: no file
  std::atomic<uint64_t> calls_{0};
};

// The trace id of a W3C "traceparent" ("00-<32 digits>-<16 digits>-01"); empty
// when the text is none.
std::string TraceIdOf(std::string_view traceparent);

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_CALL_LOG_H_
