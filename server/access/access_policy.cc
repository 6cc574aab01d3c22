// A caller is looked for by its bearer token, then by the names of its
// certificate. A proxy then stands for the subject that it passes on.
#include "server/access/access_policy.h"

#include <openssl/crypto.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/did_you_mean.h"
#include "common/random.h"
#include "common/sha256.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr size_t kLongestToken = 4096;

absl::string_view View(std::string_view text) {
  return {text.data(), text.size()};
}

// The advice for a caller that lacks a role and has shown nothing.
constexpr char kShowSomething[] =
    "; show a token ('authorization: Bearer TOKEN', slice-client --token-file "
    "FILE) or, over TLS, a client certificate (--cert, --key)";

// The names of a certificate; empty without one.
std::string NamesOf(const ShownCredentials& shown) {
  if (shown.certificate.empty()) return "";
  std::vector<std::string> names;
  for (const std::string_view uri : shown.uris) {
    names.push_back("URI " + Quoted(uri));
  }
  for (const std::string_view name : shown.dns_names) {
    names.push_back("DNS name " + Quoted(name));
  }
  return names.empty() ? "it has neither a URI nor a DNS name"
                       : absl::StrJoin(names, ", ");
}

}  // namespace

absl::StatusOr<AccessPolicy> AccessPolicy::Create(
    std::vector<Identity> identities, std::optional<RoleSet> anonymous) {
  AccessPolicy policy;
  for (Identity& one : identities) {
    policy.identities_.push_back(
        std::make_shared<const Identity>(std::move(one)));
  }
  policy.anonymous_ = anonymous;
  std::set<std::string> names;
  for (size_t i = 0; i < policy.identities_.size(); ++i) {
    const Identity& one = *policy.identities_[i];
    if (!names.insert(one.name).second) {
      return Clash(
          one, absl::StrCat("two identities are called ", Quoted(one.name)));
    }
    SLICE_RETURN_IF_ERROR(
        policy.AddProofs(one.uris, "URI", i, &policy.by_uri_));
    SLICE_RETURN_IF_ERROR(
        policy.AddProofs(one.dns_names, "DNS name", i, &policy.by_dns_name_));
    SLICE_RETURN_IF_ERROR(
        policy.AddProofs(one.tokens_sha256, "token", i, &policy.by_token_));
    SLICE_RETURN_IF_ERROR(
        policy.AddProofs(one.subjects, "subject", i, &policy.by_subject_));
  }
  return policy;
}

absl::Status AccessPolicy::AddProofs(const std::vector<std::string>& proofs,
                                     const char* kind, size_t identity,
                                     Index* index) {
  for (const std::string& proof : proofs) {
    const auto [before, is_new] = index->emplace(proof, identity);
    if (is_new || before->second == identity) continue;
    return Clash(
        *identities_[identity],
        absl::StrCat("identities ", Quoted(identities_[before->second]->name),
                     " and ", Quoted(identities_[identity]->name), " have a ",
                     kind, " in common"));
  }
  return absl::OkStatus();
}

absl::Status AccessPolicy::Clash(const Identity& identity,
                                 const std::string& message) {
  return absl::InvalidArgumentError(
      identity.place.empty() ? message
                             : absl::StrCat(identity.place, ": ", message));
}

absl::StatusOr<Caller> AccessPolicy::Identify(const ShownCredentials& shown,
                                              absl::Time now) const {
  if (!shown.authorization.empty()) return ByToken(shown, now);
  const auto identity = ByCertificate(shown);
  if (identity == nullptr) {
    return Caller{
        .name = "anonymous",
        .roles = anonymous_.value_or(shown.local ? RoleSet::All() : RoleSet()),
        .unknown_names = NamesOf(shown)};
  }
  if (identity->is_proxy && !shown.subject.empty()) {
    return BySubject(identity, shown.subject);
  }
  return CallerOf(identity);
}

bool AccessPolicy::IsProxy(const ShownCredentials& shown) const {
  const auto identity = ByCertificate(shown);
  return identity != nullptr && identity->is_proxy;
}

Caller AccessPolicy::CallerOf(std::shared_ptr<const Identity> identity) {
  Caller caller{.name = identity->name,
                .roles = identity->roles,
                .id = HashBytes(identity->name) | 1};
  caller.identity = std::move(identity);
  return caller;
}

absl::StatusOr<Caller> AccessPolicy::ByToken(const ShownCredentials& shown,
                                             absl::Time now) const {
  if (!shown.encrypted && !shown.local) {
    return absl::UnauthenticatedError(
        "a token was sent without TLS; it may have been read on its way, so "
        "replace it, and call with --tls");
  }
  const std::string_view text = shown.authorization;
  if (!text.starts_with(kBearer) || text.size() > kLongestToken) {
    return absl::UnauthenticatedError(
        "the metadata 'authorization' is not 'Bearer TOKEN'");
  }
  const std::string digest = Sha256Raw(text.substr(kBearer.size()));
  const auto found = by_token_.find(digest);
  // The look-up may tell the time that it takes to compare hashes, of which a
  // caller learns nothing about a token; the comparison below tells nothing.
  if (found == by_token_.end() ||
      CRYPTO_memcmp(found->first.data(), digest.data(), digest.size()) != 0) {
    return absl::UnauthenticatedError("no identity has this token");
  }
  const auto& identity = identities_[found->second];
  if (identity->expiry <= now) {
    return absl::UnauthenticatedError(
        absl::StrCat("the token of ", Quoted(identity->name), " expired at ",
                     absl::FormatTime(identity->expiry, absl::UTCTimeZone())));
  }
  return CallerOf(identity);
}

std::shared_ptr<const Identity> AccessPolicy::ByCertificate(
    const ShownCredentials& shown) const {
  for (const std::string_view uri : shown.uris) {
    const auto found = by_uri_.find(std::string(uri));
    if (found != by_uri_.end()) return identities_[found->second];
  }
  for (const std::string_view name : shown.dns_names) {
    const auto found = by_dns_name_.find(std::string(name));
    if (found != by_dns_name_.end()) return identities_[found->second];
  }
  return nullptr;
}

Caller AccessPolicy::BySubject(const std::shared_ptr<const Identity>& proxy,
                               std::string_view subject) const {
  const auto found = by_subject_.find(std::string(subject));
  if (found != by_subject_.end()) return CallerOf(identities_[found->second]);
  const std::string name = absl::StrCat("subject:", View(subject));
  return {.name = name,
          .roles = proxy->subject_roles,
          .identity = proxy,
          .id = HashBytes(name) | 1};
}

absl::Status AccessPolicy::CheckRole(const Caller& caller, Role role,
                                     std::string_view what) {
  if (caller.roles.Has(role)) return absl::OkStatus();
  const std::string lacks =
      absl::StrCat(" may not call ", View(what), ": it lacks the role '",
                   View(RoleName(role)), "'");
  if (caller.id == 0) {
    if (caller.unknown_names.empty()) {
      return absl::UnauthenticatedError(
          absl::StrCat("a caller without credentials", lacks, kShowSomething));
    }
    return absl::UnauthenticatedError(
        absl::StrCat("a caller whose certificate belongs to no identity (",
                     caller.unknown_names, ")", lacks));
  }
  return absl::PermissionDeniedError(absl::StrCat(Quoted(caller.name), lacks));
}

absl::Status AccessPolicy::CheckModel(const Identity* identity,
                                      const std::string& model) {
  if (identity == nullptr || identity->models.empty() ||
      identity->models.contains(model)) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError(absl::StrCat(
      Quoted(identity->name), " may not ask the model ", Quoted(model)));
}

}  // namespace slice
