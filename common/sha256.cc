#include "common/sha256.h"

#include <openssl/evp.h>

#include "absl/strings/escaping.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kDigestBytes = 32;

// Looked up once. OpenSSL 3 takes longer to find an algorithm by its name than
// to make the digest of a short text.
const EVP_MD* Sha256Algorithm() {
  static const EVP_MD* const algorithm =
      EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

}  // namespace

struct Sha256Digest::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest{
      EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha256Digest::Sha256Digest() : state_(std::make_unique<State>()) {
  EVP_DigestInit_ex(state_->digest.get(), Sha256Algorithm(), nullptr);
}

Sha256Digest::Sha256Digest(Sha256Digest&&) noexcept = default;
Sha256Digest& Sha256Digest::operator=(Sha256Digest&&) noexcept = default;
Sha256Digest::~Sha256Digest() = default;

void Sha256Digest::Update(std::string_view bytes) {
  EVP_DigestUpdate(state_->digest.get(), bytes.data(), bytes.size());
}

std::string Sha256Digest::Finish() {
  std::string digest(kDigestBytes, '\0');
  EVP_DigestFinal_ex(state_->digest.get(),
                     reinterpret_cast<unsigned char*>(digest.data()), nullptr);
  return absl::BytesToHexString(digest);
}

absl::StatusOr<std::string> Sha256File(const std::filesystem::path& path) {
  Sha256Digest digest;
  SLICE_RETURN_IF_ERROR(
      ReadPieces(path, [&](std::string_view piece) { digest.Update(piece); }));
  return digest.Finish();
}

std::string Sha256Raw(std::string_view bytes) {
  std::string digest(kDigestBytes, '\0');
  EVP_Digest(bytes.data(), bytes.size(),
             reinterpret_cast<unsigned char*>(digest.data()), nullptr,
             Sha256Algorithm(), nullptr);
  return digest;
}

std::string Sha256Bytes(std::string_view bytes) {
  return absl::BytesToHexString(Sha256Raw(bytes));
}

}  // namespace slice
