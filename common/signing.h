// Signatures by ed25519 (RFC 8032), with keys in PEM files as
//   openssl genpkey -algorithm ed25519 -out key.pem
//   openssl pkey -in key.pem -pubout -out public.pem
// writes them.
#ifndef SLICE_COMMON_SIGNING_H_
#define SLICE_COMMON_SIGNING_H_

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// Public keys. Immutable; thread-safe.
class VerifyingKeys {
 public:
  // Reads a file of one or more public keys. INVALID_ARGUMENT naming the file
  // when it holds no key, or a key of another algorithm or for signing; the
  // errors of ReadFile.
  static absl::StatusOr<VerifyingKeys> Load(const std::filesystem::path& file);

  VerifyingKeys(VerifyingKeys&&) noexcept;
  VerifyingKeys& operator=(VerifyingKeys&&) noexcept;
  ~VerifyingKeys();

  // Whether one of the keys has signed `message`. `signature` is what Sign
  // returned.
  bool HaveSigned(std::string_view message, std::string_view signature) const;

 private:
  struct Key;  // hides OpenSSL

  VerifyingKeys();
  std::vector<std::unique_ptr<Key>> keys_;
};

// Signs `message`; returns 64 bytes. INVALID_ARGUMENT naming the file when it
// holds no private key of ed25519; the errors of ReadFile.
absl::StatusOr<std::string> Sign(std::string_view message,
                                 const std::filesystem::path& private_key);

}  // namespace slice

#endif  // SLICE_COMMON_SIGNING_H_
