// The TLS material that a server uses now. Files that change are read again
// without a restart.
#ifndef SLICE_SERVER_TRANSPORT_TLS_CERTIFICATES_H_
#define SLICE_SERVER_TRANSPORT_TLS_CERTIFICATES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "common/periodic_task.h"
#include "server/transport/tls_material.h"

namespace slice {

// Thread-safe. Files that are wrong change nothing: connections go on with the
// material from before. If the files are still wrong at the next look, the log
// says once what is wrong.
class TlsCertificates {
 public:
  // How often the files are looked at.
  static constexpr absl::Duration kInterval = absl::Seconds(1);

  // Returns the errors of ReadTlsMaterial. `clock` must outlive the object.
  static absl::StatusOr<std::unique_ptr<TlsCertificates>> Load(
      const TlsOptions& options, const Clock* clock);

  // Never null.
  std::shared_ptr<const TlsMaterial> Current() const;

  // Reads the files if they changed since they were read last, and returns the
  // errors of ReadTlsMaterial. A thread calls this
  // every kInterval.
  absl::Status Refresh();

  const TlsOptions& options() const { return options_; }
  // How often changed files were read with success, and in vain.
  uint64_t reloads() const { return reloads_.load(std::memory_order_relaxed); }
  uint64_t failures() const {
    return failures_.load(std::memory_order_relaxed);
  }

 private:
  TlsCertificates(TlsOptions options, const Clock* clock);
  std::string FileStates() const;

  const TlsOptions options_;
  const Clock* const clock_;
  mutable Mutex mutex_;
  std::shared_ptr<const TlsMaterial> current_ ABSL_GUARDED_BY(mutex_);
  std::string states_ ABSL_GUARDED_BY(mutex_);  // of the files read last
  // Of files that were wrong when they were looked at once.
  std::string failed_states_ ABSL_GUARDED_BY(mutex_);
  std::atomic<uint64_t> reloads_{0};
  std::atomic<uint64_t> failures_{0};
  std::optional<PeriodicTask> watch_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_TLS_CERTIFICATES_H_
