// SHA-256 digests (FIPS 180-4), written as lower-case hexadecimal unless said
// otherwise.
#ifndef SLICE_COMMON_SHA256_H_
#define SLICE_COMMON_SHA256_H_

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace slice {

// A digest that is fed piece by piece. Thread-compatible.
class Sha256Digest {
 public:
  Sha256Digest();
  Sha256Digest(Sha256Digest&&) noexcept;
  Sha256Digest& operator=(Sha256Digest&&) noexcept;
  ~Sha256Digest();

  void Update(std::string_view bytes);
  // The digest of all bytes so far. Neither method may be called afterwards.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The digest of a whole file; errors as ReadFile (common/files.h).
absl::StatusOr<std::string> Sha256File(const std::filesystem::path& path);
std::string Sha256Bytes(std::string_view bytes);
// The 32 bytes of the digest themselves.
std::string Sha256Raw(std::string_view bytes);

}  // namespace slice

#endif  // SLICE_COMMON_SHA256_H_
