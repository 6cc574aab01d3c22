// The access policy of a running server, which may change while it runs.
#ifndef SLICE_SERVER_ACCESS_ACCESS_CONTROL_H_
#define SLICE_SERVER_ACCESS_ACCESS_CONTROL_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/access/access_policy.h"
#include "server/access/call_log.h"
#include "server/access/shown_credentials.h"

namespace slice {

// What a server's configuration says of callers.
struct AccessOptions {
  std::vector<Identity> identities;
  // What callers without credentials may do (AccessPolicy::Create).
  std::optional<RoleSet> anonymous;
};

// Thread-safe.
class AccessControl {
 public:
  // Refusals go to `log`. It and `clock` must outlive the object.
  AccessControl(AccessPolicy policy, CallLog* log, const Clock* clock);

  // Calls that begin from now on follow `policy`.
  void Replace(AccessPolicy policy);

  std::shared_ptr<const AccessPolicy> policy() const;

  // As AccessPolicy::Identify.
  absl::StatusOr<Caller> Identify(const ShownCredentials& shown) const;
  // As Identify, and then AccessPolicy::CheckRole. Logs a refusal.
  absl::Status CheckRole(Role role, std::string_view what,
                         const ShownCredentials& shown) const;
  // CheckRole with the rule of a method ("/package.Service/Name");
  // UNIMPLEMENTED for a method without a rule.
  absl::Status Check(std::string_view method,
                     const ShownCredentials& shown) const;

  // How many calls were refused for want of credentials, and for want of a role
  // (or of another right).
  uint64_t unauthenticated() const { return unauthenticated_.load(); }
  uint64_t denied() const { return denied_.load(); }

 private:
  CallLog* const log_;
  const Clock* const clock_;
  mutable std::atomic<uint64_t> unauthenticated_ = 0, denied_ = 0;
  mutable Mutex mutex_;
  std::shared_ptr<const AccessPolicy> policy_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_ACCESS_CONTROL_H_
