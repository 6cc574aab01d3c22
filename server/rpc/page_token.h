// Opaque tokens for paged replies. A token holds a position and is valid only
// for the request and the graph that it was made for.
#ifndef SLICE_SERVER_RPC_PAGE_TOKEN_H_
#define SLICE_SERVER_RPC_PAGE_TOKEN_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace slice {

// A digest of everything that must stay the same from page to page.
uint64_t PageFingerprint(std::initializer_list<std::string_view> parts);

std::string EncodePageToken(uint64_t fingerprint, uint64_t position);

// The position; 0 for an empty token. INVALID_ARGUMENT when the token is
// malformed or was made for another request.
absl::StatusOr<uint64_t> DecodePageToken(uint64_t fingerprint,
                                         std::string_view token);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_PAGE_TOKEN_H_
