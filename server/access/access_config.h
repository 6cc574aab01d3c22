// Reads the identities of a configuration.
//
//   - name: shop
//     uri: spiffe://example.org/shop    # of its certificate; or dns-name
//     token-sha256: 5e884898da28...     # of its bearer tokens
//     expires: 2027-06-30T00:00:00Z     # its tokens
//     roles: [predict, explore]
//     models: [amazon]                  # all when missing
//     limits:                           # of everybody when missing; 0: none
//       links-per-second: 5000          # QuotaKind::kLinks, and so on
//       recommendations-per-second: 5
//       searches-per-second: 50
//       links-under-way: 2000
//   - name: envoy
//     dns-name: envoy.internal
//     proxy: true                       # its x-slice-subject is believed
//     subject-roles: [predict]          # of subjects that no identity has
//   - name: alice
//     subject: alice@example.org
//     roles: [admin]
#ifndef SLICE_SERVER_ACCESS_ACCESS_CONFIG_H_
#define SLICE_SERVER_ACCESS_ACCESS_CONFIG_H_

#include <vector>

#include "absl/status/statusor.h"
#include "common/config/config_value.h"
#include "server/access/access_policy.h"

namespace slice {

// The identities of a list. Every error names its place:
//   INVALID_ARGUMENT  an unknown key, role or time; a token that is no SHA-256
//     (a plain token, for instance); an identity without a name or a proof
absl::StatusOr<std::vector<Identity>> ReadIdentities(const ConfigValue& list);

// The roles of a list of names.
absl::StatusOr<RoleSet> ReadRoles(const ConfigValue& list);

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_ACCESS_CONFIG_H_
