#include "server/rpc/page_token.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "common/random.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

// A token is two numbers of 16 hexadecimal digits each: the position, then a
// hash of position and fingerprint, by which the token is checked.
constexpr size_t kNumberDigits = 16;

uint64_t CheckValue(uint64_t fingerprint, uint64_t position) {
  return CombineHash(fingerprint, position);
}

bool ParseHex(std::string_view digits, uint64_t& value) {
  return absl::SimpleHexAtoi(absl::string_view(digits.data(), digits.size()),
                             &value);
}

}  // namespace

uint64_t PageFingerprint(std::initializer_list<std::string_view> parts) {
  uint64_t hash = parts.size();
  for (std::string_view part : parts) {
    hash = CombineHash(hash, HashBytes(part));
  }
  return hash;
}

std::string EncodePageToken(uint64_t fingerprint, uint64_t position) {
  return absl::StrFormat("%016x%016x", position,
                         CheckValue(fingerprint, position));
}

absl::StatusOr<uint64_t> DecodePageToken(uint64_t fingerprint,
                                         std::string_view token) {
  if (token.empty()) return 0;
  uint64_t position = 0, check = 0;
  if (token.size() != 2 * kNumberDigits ||
      !ParseHex(token.substr(0, kNumberDigits), position) ||
      !ParseHex(token.substr(kNumberDigits), check)) {
    return InvalidField("page_token",
                        "is no token of this server: start again without one");
  }
  if (check != CheckValue(fingerprint, position)) {
    return InvalidField("page_token",
                        "belongs to another request or another graph: start "
                        "again without a token");
  }
  return position;
}

}  // namespace slice
