// The client certificates that their authority has revoked.
#ifndef SLICE_SERVER_TRANSPORT_REVOKED_CERTIFICATES_H_
#define SLICE_SERVER_TRANSPORT_REVOKED_CERTIFICATES_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe.
class RevokedCertificates {
 public:
  // Reads a list in PEM. INVALID_ARGUMENT when it is none, or when no authority
  // of `authorities` (PEM) has signed it.
  static absl::StatusOr<std::shared_ptr<const RevokedCertificates>> Parse(
      const std::string& list, const std::string& authorities);

  // Whether the list has this certificate, in PEM. Texts that are no
  // certificate count as revoked.
  bool Has(std::string_view certificate) const;

 private:
  RevokedCertificates() = default;

  std::set<std::string> serials_;  // as OpenSSL writes them in hexadecimal
  // What Has found, by hash of the certificate: reading one takes longer than a
  // call should.
  mutable Mutex mutex_;
  mutable std::unordered_map<uint64_t, bool> found_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_REVOKED_CERTIFICATES_H_
