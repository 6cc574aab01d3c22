#include "common/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "absl/strings/escaping.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {

struct Sha256Digest::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{
      EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha256Digest::Sha256Digest() : state_(std::make_unique<State>()) {
  EVP_DigestInit_ex(state_->digest.get(), EVP_sha256(), nullptr);
}

Sha256Digest::Sha256Digest(Sha256Digest&&) noexcept = default;
Sha256Digest& Sha256Digest::operator=(Sha256Digest&&) noexcept = default;
Sha256Digest::~Sha256Digest() = default;

void Sha256Digest::Update(std::string_view bytes) {
  EVP_DigestUpdate(state_->digest.get(), bytes.data(), bytes.size());
}

std::string Sha256Digest::Finish() {
  std::array<unsigned char, 32> digest;
  EVP_DigestFinal_ex(state_->digest.get(), digest.data(), nullptr);
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

absl::StatusOr<std::string> Sha256File(const std::filesystem::path& path) {
  Sha256Digest digest;
  SLICE_RETURN_IF_ERROR(
      ReadPieces(path, [&](std::string_view piece) { digest.Update(piece); }));
  return digest.Finish();
}

std::string Sha256Bytes(std::string_view bytes) {
  Sha256Digest digest;
  digest.Update(bytes);
  return digest.Finish();
}

}  // namespace slice
