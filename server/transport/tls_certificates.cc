#include "server/transport/tls_certificates.h"

#include <sys/stat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/status_macros.h"

namespace slice {

TlsCertificates::TlsCertificates(TlsOptions options, const Clock* clock)
    : options_(std::move(options)), clock_(clock) {}

absl::StatusOr<std::unique_ptr<TlsCertificates>> TlsCertificates::Load(
    const TlsOptions& options, const Clock* clock) {
  std::unique_ptr<TlsCertificates> certificates(
      new TlsCertificates(options, clock));
  SLICE_RETURN_IF_ERROR(certificates->Refresh());
  certificates->watch_.emplace(kInterval, [one = certificates.get()] {
    (void)one->Refresh();  // which logs what is wrong
  });
  return certificates;
}

std::shared_ptr<const TlsMaterial> TlsCertificates::Current() const {
  MutexLock lock(&mutex_);
  return current_;
}

absl::Status TlsCertificates::Refresh() {
  std::string states = FileStates();
  {
    MutexLock lock(&mutex_);
    if (states == states_) return absl::OkStatus();
  }
  absl::StatusOr<TlsMaterial> material =
      ReadTlsMaterial(options_, clock_->Now());
  // A file that changed meanwhile is read again next time.
  MutexLock lock(&mutex_);
  if (!material.ok() && current_ != nullptr && states != failed_states_) {
    // Perhaps somebody is about to copy the other file.
    failed_states_ = std::move(states);
    return material.status();
  }
  states_ = std::move(states);
  if (!material.ok()) {
    if (current_ == nullptr) return material.status();
    failures_.fetch_add(1, std::memory_order_relaxed);
    LogError("the certificate from before stays in use: %s",
             std::string(material.status().message()));
    return material.status();
  }
  if (current_ != nullptr) {
    reloads_.fetch_add(1, std::memory_order_relaxed);
    LogInfo("certificate read again; it is valid until %s",
            absl::FormatTime(material->expiry, absl::UTCTimeZone()));
  }
  current_ = std::make_shared<const TlsMaterial>(*std::move(material));
  return absl::OkStatus();
}

// A text that changes when one of the files, or what a link points to, does.
std::string TlsCertificates::FileStates() const {
  std::string states;
  for (const auto& file :
       {options_.cert, options_.key, options_.client_ca, options_.client_crl}) {
    struct stat status = {};
    if (file.empty() || stat(file.c_str(), &status) != 0) {
      absl::StrAppend(&states, "none;");
      continue;
    }
    absl::StrAppend(&states, status.st_dev, " ", status.st_ino, " ",
                    status.st_size, " ", status.st_mode, " ",
                    status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec, ";");
  }
  return states;
}

}  // namespace slice
