#include "common/files.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/file_descriptor.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// Calls `consume` with the file's bytes, a megabyte at a time.
template <typename Consume>
absl::Status ReadPieces(const std::filesystem::path& path, Consume consume) {
  FileDescriptor file(path, O_RDONLY);
  if (!file.ok()) return FileError("open", path, errno);
  std::string buffer(1 << 20, '\0');
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError("read", path, errno);
    if (count == 0) return absl::OkStatus();
    consume(std::string_view(buffer.data(), count));
  }
}

absl::Status WriteAll(int fd, std::string_view bytes,
                      const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError("write", path, errno);
    bytes.remove_prefix(count);
  }
  if (::fsync(fd) != 0) return FileError("sync", path, errno);
  return absl::OkStatus();
}

absl::Status WriteNewFile(const std::filesystem::path& path,
                          std::string_view bytes) {
  FileDescriptor file(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (!file.ok()) return FileError("create", path, errno);
  return WriteAll(file.get(), bytes, path);
}

}  // namespace

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

absl::Status FileError(std::string_view action,
                       const std::filesystem::path& path, int error_number) {
  const std::string message =
      absl::StrCat("cannot ", std::string(action), " ", path.string(), ": ",
                   std::strerror(error_number));
  switch (error_number) {
    case ENOENT:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOSPC:
    case EDQUOT:
      return absl::ResourceExhaustedError(message);
    default:
      return absl::InternalError(message);
  }
}

absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path) {
  std::string bytes;
  SLICE_RETURN_IF_ERROR(
      ReadPieces(path, [&](std::string_view piece) { bytes.append(piece); }));
  return bytes;
}

absl::Status WriteFileAtomically(const std::filesystem::path& path,
                                 std::string_view bytes) {
  const std::filesystem::path temporary =
      path.string() + absl::StrCat(".tmp-", static_cast<int64_t>(::getpid()));
  if (absl::Status status = WriteNewFile(temporary, bytes); !status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error_number = errno;
    ::unlink(temporary.c_str());
    return FileError("rename to", path, error_number);
  }
  return SyncPath(path.has_parent_path() ? path.parent_path()
                                         : std::filesystem::path("."));
}

absl::Status CreateDirectories(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return FileError("create", directory, error.value());
  if (::access(directory.c_str(), W_OK | X_OK) == 0) return absl::OkStatus();
  return FileError("write to", directory, errno);
}

absl::Status CreateFolderOf(const std::filesystem::path& file) {
  if (file.empty()) return absl::OkStatus();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::status_known(status)) {
    return FileError("write", file, error.value());
  }
  if (std::filesystem::is_directory(status)) {
    return FileError("write", file, EISDIR);
  }
  return CreateDirectories(file.has_parent_path() ? file.parent_path() : ".");
}

uint64_t DirectoryBytes(const std::filesystem::path& directory) {
  std::error_code error;
  uint64_t bytes = 0;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code not_a_file;
    const uint64_t size = entry->file_size(not_a_file);
    if (!not_a_file) bytes += size;
  }
  return bytes;
}

absl::Status ReplaceDirectory(const std::filesystem::path& from,
                              const std::filesystem::path& to) {
  const std::filesystem::path old = to.string() + ".old";
  std::error_code error;
  std::filesystem::remove_all(old, error);
  if (std::filesystem::exists(to)) {
    std::filesystem::rename(to, old, error);
    if (error) return FileError("set aside", to, error.value());
  }
  std::filesystem::rename(from, to, error);
  if (error) return FileError("rename to", to, error.value());
  std::filesystem::remove_all(old, error);
  return SyncPath(to.has_parent_path() ? to.parent_path() : ".");
}

absl::Status SyncPath(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  if (!file.ok()) return FileError("open", path, errno);
  if (::fsync(file.get()) != 0) return FileError("sync", path, errno);
  return absl::OkStatus();
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
