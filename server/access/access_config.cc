#include "server/access/access_config.h"

#include <openssl/sha.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kLongestName = 128;

const std::vector<std::string>& Keys() {
  static const auto* const keys = new std::vector<std::string>{
      "name",   "uri",     "dns-name", "token-sha256",  "subject", "roles",
      "models", "expires", "proxy",    "subject-roles", "limits"};
  return *keys;
}

const std::vector<std::string>& LimitKeys() {
  static const auto* const keys = new std::vector<std::string>{
      "links-per-second", "recommendations-per-second", "searches-per-second",
      "links-under-way"};
  return *keys;
}

absl::StatusOr<std::vector<std::string>> ReadTexts(const ConfigValue& list) {
  SLICE_ASSIGN_OR_RETURN(const auto items, list.Items());
  std::vector<std::string> texts;
  for (const ConfigValue& item : items) {
    SLICE_ASSIGN_OR_RETURN(texts.emplace_back(), item.Text());
    if (texts.back().empty()) return item.Error("must not be empty");
  }
  return texts;
}

absl::StatusOr<std::string> ReadName(const ConfigValue& value) {
  SLICE_ASSIGN_OR_RETURN(std::string name, value.Text());
  bool good = !name.empty() && name.size() <= kLongestName &&
              name != "anonymous" && !name.starts_with("subject:");
  for (const char c : name) good = good && absl::ascii_isgraph(c);
  if (good) return name;
  return value.Error(absl::StrCat(
      Quoted(name), " is no name: 1 to ", kLongestName,
      " printable ASCII characters without blanks, neither 'anonymous' nor "
      "'subject:...'"));
}

absl::StatusOr<std::vector<std::string>> ReadTokens(const ConfigValue& list) {
  SLICE_ASSIGN_OR_RETURN(const auto items, list.Items());
  std::vector<std::string> digests;
  for (const ConfigValue& item : items) {
    SLICE_ASSIGN_OR_RETURN(const std::string text, item.Text());
    bool is_hash = text.size() == 2 * SHA256_DIGEST_LENGTH;
    for (const char c : text) is_hash = is_hash && absl::ascii_isxdigit(c);
    if (!is_hash) {
      // The text may be a secret, so the error does not repeat it.
      return item.Error(
          "this is no SHA-256 of 64 hexadecimal digits; a token itself must "
          "not be in the file: write what 'printf %s TOKEN | sha256sum' "
          "prints");
    }
    digests.push_back(absl::HexStringToBytes(text));
  }
  return digests;
}

absl::StatusOr<absl::Time> ReadTime(const ConfigValue& value) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, value.Text());
  absl::Time time;
  std::string error;
  if (absl::ParseTime(absl::RFC3339_full, text, &time, &error) ||
      absl::ParseTime("%Y-%m-%d", text, &time, &error)) {
    return time;
  }
  return value.Error(absl::StrCat(
      Quoted(text),
      " is no time such as 2027-06-30T00:00:00Z, nor a day such as "
      "2027-06-30"));
}

absl::StatusOr<double> ReadLimit(const ConfigValue& value) {
  SLICE_ASSIGN_OR_RETURN(const double limit, value.Number());
  if (limit >= 0 && limit <= 1e12) return limit;
  return value.Error(
      absl::StrCat(limit, " is no limit: a number from 0 (no limit) to 1e12"));
}

absl::StatusOr<QuotaExceptions> ReadLimits(const ConfigValue& map) {
  SLICE_ASSIGN_OR_RETURN(const auto entries, map.Entries());
  QuotaExceptions limits;
  for (const ConfigEntry& entry : entries) {
    const std::string key = absl::StrReplaceAll(entry.key, {{"_", "-"}});
    const auto& keys = LimitKeys();
    const auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      return entry.key_value.Error(absl::StrCat(
          "there is no limit ", Quoted(entry.key), Alternatives(key, keys)));
    }
    SLICE_ASSIGN_OR_RETURN(const double limit, ReadLimit(entry.value));
    const auto kind = static_cast<size_t>(found - keys.begin());
    if (kind < limits.per_second.size()) {
      limits.per_second[kind] = limit;
    } else {
      limits.links_under_way = static_cast<size_t>(limit);
    }
  }
  return limits;
}

// Reads one key of an identity.
absl::Status ReadKey(const std::string& key, const ConfigEntry& entry,
                     Identity* identity) {
  const ConfigValue& value = entry.value;
  if (key == "name") {
    SLICE_ASSIGN_OR_RETURN(identity->name, ReadName(value));
  } else if (key == "uri") {
    SLICE_ASSIGN_OR_RETURN(identity->uris, ReadTexts(value));
  } else if (key == "dns-name") {
    SLICE_ASSIGN_OR_RETURN(identity->dns_names, ReadTexts(value));
  } else if (key == "token-sha256") {
    SLICE_ASSIGN_OR_RETURN(identity->tokens_sha256, ReadTokens(value));
  } else if (key == "subject") {
    SLICE_ASSIGN_OR_RETURN(identity->subjects, ReadTexts(value));
  } else if (key == "roles") {
    SLICE_ASSIGN_OR_RETURN(identity->roles, ReadRoles(value));
  } else if (key == "models") {
    SLICE_ASSIGN_OR_RETURN(const auto models, ReadTexts(value));
    identity->models = {models.begin(), models.end()};
  } else if (key == "expires") {
    SLICE_ASSIGN_OR_RETURN(identity->expiry, ReadTime(value));
  } else if (key == "proxy") {
    SLICE_ASSIGN_OR_RETURN(identity->is_proxy, value.Bool());
  } else if (key == "subject-roles") {
    SLICE_ASSIGN_OR_RETURN(identity->subject_roles, ReadRoles(value));
  } else if (key == "limits") {
    SLICE_ASSIGN_OR_RETURN(identity->limits, ReadLimits(value));
  } else {
    return entry.key_value.Error(absl::StrCat("an identity has no key ",
                                              Quoted(entry.key),
                                              Alternatives(key, Keys())));
  }
  return absl::OkStatus();
}

absl::Status CheckIdentity(const ConfigValue& value, const Identity& identity) {
  if (identity.name.empty()) return value.Error("this identity has no name");
  if (identity.uris.empty() && identity.dns_names.empty() &&
      identity.tokens_sha256.empty() && identity.subjects.empty()) {
    return value.Error(absl::StrCat(
        Quoted(identity.name),
        " needs a uri, dns-name, token-sha256 or subject to be known by"));
  }
  if (identity.is_proxy && identity.uris.empty() &&
      identity.dns_names.empty()) {
    return value.Error(absl::StrCat(
        "the proxy ", Quoted(identity.name),
        " needs the uri or dns-name of its certificate to be believed"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RoleSet> ReadRoles(const ConfigValue& list) {
  SLICE_ASSIGN_OR_RETURN(const auto items, list.Items());
  RoleSet roles;
  for (const ConfigValue& item : items) {
    SLICE_ASSIGN_OR_RETURN(const std::string text, item.Text());
    const absl::StatusOr<Role> role = ParseRole(text);
    if (!role.ok()) return item.Error(std::string(role.status().message()));
    roles.Add(*role);
  }
  return roles;
}

absl::StatusOr<std::vector<Identity>> ReadIdentities(const ConfigValue& list) {
  SLICE_ASSIGN_OR_RETURN(const auto items, list.Items());
  std::vector<Identity> identities;
  for (const ConfigValue& item : items) {
    SLICE_ASSIGN_OR_RETURN(const auto entries, item.Entries());
    Identity identity;
    identity.place = item.Place();
    for (const ConfigEntry& entry : entries) {
      SLICE_RETURN_IF_ERROR(ReadKey(
          absl::StrReplaceAll(entry.key, {{"_", "-"}}), entry, &identity));
    }
    SLICE_RETURN_IF_ERROR(CheckIdentity(item, identity));
    identities.push_back(std::move(identity));
  }
  return identities;
}

}  // namespace slice
