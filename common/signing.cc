#include "common/signing.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kSignatureBytes = 64;

struct FreeBio {
  void operator()(BIO* it) const { BIO_free(it); }
};
struct FreeKey {
  void operator()(EVP_PKEY* it) const { EVP_PKEY_free(it); }
};
struct FreeDigest {
  void operator()(EVP_MD_CTX* it) const { EVP_MD_CTX_free(it); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;
using OpenSslKey = std::unique_ptr<EVP_PKEY, FreeKey>;
using Digest = std::unique_ptr<EVP_MD_CTX, FreeDigest>;

Bio ReaderOf(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

absl::Status WrongFile(const std::filesystem::path& file, const char* why) {
  return absl::InvalidArgumentError(absl::StrCat(file.string(), ": ", why));
}

// A key that needs a passphrase has none: nobody is there to type it.
int NoPassphrase(char*, int, int, void*) { return -1; }

}  // namespace

struct VerifyingKeys::Key {
  OpenSslKey key;
};

VerifyingKeys::VerifyingKeys() = default;
VerifyingKeys::VerifyingKeys(VerifyingKeys&&) noexcept = default;
VerifyingKeys& VerifyingKeys::operator=(VerifyingKeys&&) noexcept = default;
VerifyingKeys::~VerifyingKeys() = default;

absl::StatusOr<VerifyingKeys> VerifyingKeys::Load(
    const std::filesystem::path& file) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  if (text.find("PRIVATE KEY-----") != std::string::npos) {
    return WrongFile(file,
                     "holds a private key, which a server must not have; name "
                     "the file that 'openssl pkey -pubout' writes");
  }
  VerifyingKeys keys;
  const Bio reader = ReaderOf(text);
  while (EVP_PKEY* const read =
             PEM_read_bio_PUBKEY(reader.get(), nullptr, nullptr, nullptr)) {
    auto key = std::make_unique<Key>();
    key->key.reset(read);
    if (EVP_PKEY_get_base_id(read) != EVP_PKEY_ED25519) {
      return WrongFile(file, "holds a key that is not of ed25519");
    }
    keys.keys_.push_back(std::move(key));
  }
  ERR_clear_error();
  if (keys.keys_.empty()) return WrongFile(file, "holds no public key in PEM");
  return keys;
}

bool VerifyingKeys::HaveSigned(std::string_view message,
                               std::string_view signature) const {
  for (const auto& one : keys_) {
    const Digest digest(EVP_MD_CTX_new());
    if (EVP_DigestVerifyInit(digest.get(), nullptr, nullptr, nullptr,
                             one->key.get()) == 1 &&
        EVP_DigestVerify(digest.get(), Bytes(signature), signature.size(),
                         Bytes(message), message.size()) == 1) {
      return true;
    }
  }
  ERR_clear_error();
  return false;
}

absl::StatusOr<std::string> Sign(std::string_view message,
                                 const std::filesystem::path& private_key) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(private_key));
  const OpenSslKey key(PEM_read_bio_PrivateKey(ReaderOf(text).get(), nullptr,
                                               NoPassphrase, nullptr));
  ERR_clear_error();
  if (key == nullptr || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) {
    return WrongFile(private_key,
                     "holds no private key of ed25519 in PEM without a "
                     "passphrase; 'openssl genpkey -algorithm ed25519' makes "
                     "one");
  }
  const Digest digest(EVP_MD_CTX_new());
  std::string signature(kSignatureBytes, '\0');
  size_t size = signature.size();
  if (EVP_DigestSignInit(digest.get(), nullptr, nullptr, nullptr, key.get()) !=
          1 ||
      EVP_DigestSign(digest.get(),
                     reinterpret_cast<unsigned char*>(signature.data()), &size,
                     Bytes(message), message.size()) != 1) {
    ERR_clear_error();
    return absl::InternalError("OpenSSL could not sign");
  }
  return signature;
}

}  // namespace slice
