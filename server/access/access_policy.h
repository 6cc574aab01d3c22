// Who may call, and what: identities, and how callers prove that they are one.
#ifndef SLICE_SERVER_ACCESS_ACCESS_POLICY_H_
#define SLICE_SERVER_ACCESS_ACCESS_POLICY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/access/quota_limits.h"
#include "server/access/role.h"
#include "server/access/shown_credentials.h"

namespace slice {

// An identity of the configuration.
struct Identity {
  bool operator==(const Identity&) const = default;

  std::string name;
  RoleSet roles = {};
  std::set<std::string> models = {};  // that it may ask; empty: all
  // It proves itself by one of these. URIs are those of SPIFFE, as a rule.
  std::vector<std::string> uris = {}, dns_names = {};  // of its certificate
  std::vector<std::string> tokens_sha256 = {};         // bytes, not digits
  std::vector<std::string> subjects = {};              // that a proxy passes on
  absl::Time expiry = absl::InfiniteFuture();          // of its tokens
  // It is a proxy: the server believes the subject that it passes on. A
  // subject of no identity may do what these roles allow.
  bool is_proxy = false;
  RoleSet subject_roles = {};
  // Of each of its subjects too, if they have no identity of their own.
  QuotaExceptions limits = {};
  std::string place = "";  // where the configuration has it, for errors
};

// The caller of one call.
struct Caller {
  std::string name;  // of the identity, "subject:..." or "anonymous"
  RoleSet roles = {};
  // Of a certificate that belongs to no identity: its names.
  std::string unknown_names = "";
  // Null for an anonymous caller; of a subject that has no identity, the proxy.
  std::shared_ptr<const Identity> identity = nullptr;
  // Hash of the name; 0 for a caller that showed nothing, whom the server
  // knows by host alone.
  uint64_t id = 0;
};

// Immutable, so thread-safe.
class AccessPolicy {
 public:
  // `anonymous`: what callers without credentials may do. Without it, they may
  // do everything on local listeners and nothing elsewhere. INVALID_ARGUMENT
  // when two identities have a name or a proof in common.
  static absl::StatusOr<AccessPolicy> Create(std::vector<Identity> identities,
                                             std::optional<RoleSet> anonymous);

  // The caller with these credentials at `now`. UNAUTHENTICATED for a token
  // that is unknown, expired, or was sent in the clear beyond this machine.
  absl::StatusOr<Caller> Identify(const ShownCredentials& shown,
                                  absl::Time now) const;

  const std::vector<std::shared_ptr<const Identity>>& identities() const {
    return identities_;
  }

  // Whether the certificate is that of a proxy, which makes the calls of many
  // callers.
  bool IsProxy(const ShownCredentials& shown) const;

  // OK, or why the caller may not do what asks for this role (`what`, such as
  // "/metrics"): UNAUTHENTICATED for a caller that has shown nothing that the
  // policy knows, and PERMISSION_DENIED for others.
  static absl::Status CheckRole(const Caller& caller, Role role,
                                std::string_view what);
  // OK, or PERMISSION_DENIED when this identity (null: a caller that showed
  // nothing) may not ask this model.
  static absl::Status CheckModel(const Identity* identity,
                                 const std::string& model);

 private:
  using Index = std::unordered_map<std::string, size_t>;  // into identities_

  static absl::Status Clash(const Identity& identity,
                            const std::string& message);
  absl::Status AddProofs(const std::vector<std::string>& proofs,
                         const char* kind, size_t identity, Index* index);
  static Caller CallerOf(std::shared_ptr<const Identity> identity);
  absl::StatusOr<Caller> ByToken(const ShownCredentials& shown,
                                 absl::Time now) const;
  std::shared_ptr<const Identity> ByCertificate(
      const ShownCredentials& shown) const;
  Caller BySubject(const std::shared_ptr<const Identity>& proxy,
                   std::string_view subject) const;

  std::vector<std::shared_ptr<const Identity>> identities_;
  std::optional<RoleSet> anonymous_;
  Index by_uri_, by_dns_name_, by_token_, by_subject_;
};

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_ACCESS_POLICY_H_
