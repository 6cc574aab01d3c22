// FileOutput gathers the appended text until it is 256 KiB or longer. Then it
// passes the text to Compress, which each of the three formats (plain, gzip,
// Zstandard) implements.
//
// The bytes go to a file without a name in the same directory (O_TMPFILE), so
// that nothing is left of a process that is stopped. Commit ends the compressed
// stream, syncs the file, gives it the name "<name>.tmp-<pid>", renames it and
// syncs the directory. Where the file system has no files without names, it has
// that name from the start; the destructor then removes what was not committed.
// After the first error nothing more is written, and status() and Commit()
// return that error.
#include "common/table/text_output.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kBufferBytes = 256 << 10;
constexpr int kZstdLevel = 3;

std::filesystem::path FolderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path()
                                : std::filesystem::path(".");
}

struct TemporaryFile {
  std::filesystem::path path;  // the name that it has or will have
  int fd = -1;
  bool has_name = false;
};

// A negative descriptor with errno when there can be none.
TemporaryFile MakeTemporaryFile(const std::filesystem::path& path) {
  constexpr int kWrite = O_WRONLY | O_CLOEXEC;
  TemporaryFile file{path.string() +
                     absl::StrCat(".tmp-", static_cast<int64_t>(::getpid()))};
  // Only a file without O_EXCL can be given a name, and only through /proc.
  if (::access("/proc/self/fd", X_OK) == 0) {
    file.fd = ::open(FolderOf(path).c_str(), kWrite | O_TMPFILE, 0644);
  }
  if (file.fd >= 0) return file;
  file.fd = ::open(file.path.c_str(), kWrite | O_CREAT | O_TRUNC, 0644);
  file.has_name = true;
  return file;
}

// What all formats share: the temporary file, and the error that stops writing.
class FileOutput : public TextOutput {
 public:
  FileOutput(std::filesystem::path path, TemporaryFile file)
      : path_(std::move(path)),
        temporary_(std::move(file.path)),
        fd_(file.fd),
        has_name_(file.has_name) {}
  ~FileOutput() override {
    if (fd_ < 0) return;
    ::close(fd_);
    if (has_name_) ::unlink(temporary_.c_str());
  }

  const absl::Status& status() const override { return status_; }
  const std::filesystem::path& path() const override { return path_; }

  void Append(std::string_view text) override {
    pending_.append(text);
    if (pending_.size() < kBufferBytes || !status_.ok()) return;
    Compress(pending_, /*last=*/false);
    pending_.clear();
  }

  absl::Status Finish() override {
    if (finished_) return status_;
    finished_ = true;
    if (status_.ok()) Compress(pending_, /*last=*/true);
    if (status_.ok() && ::fsync(fd_) != 0)
      status_ = FileError("sync", path_, errno);
    return status_;
  }

  absl::Status Commit() override {
    SLICE_RETURN_IF_ERROR(Finish());
    if (!has_name_) GiveName();
    if (status_.ok() && ::rename(temporary_.c_str(), path_.c_str()) != 0)
      status_ = FileError("rename to", path_, errno);
    if (!status_.ok()) return status_;
    ::close(std::exchange(fd_, -1));
    return SyncPath(FolderOf(path_));
  }

 protected:
  // Writes `text` in the file's own format; `last` ends the stream.
  virtual void Compress(std::string_view text, bool last) = 0;

  void WriteBytes(const char* bytes, size_t size) {
    while (size > 0 && status_.ok()) {
      const ssize_t count = ::write(fd_, bytes, size);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        status_ = FileError("write", path_, errno);
        return;
      }
      bytes += count;
      size -= static_cast<size_t>(count);
    }
  }

 private:
  void GiveName() {
    ::unlink(temporary_.c_str());  // of a process with the same number
    const std::string file = absl::StrCat("/proc/self/fd/", fd_);
    if (::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, temporary_.c_str(),
                 AT_SYMLINK_FOLLOW) != 0) {
      status_ = FileError("create", temporary_, errno);
      return;
    }
    has_name_ = true;
  }

  const std::filesystem::path path_, temporary_;
  int fd_;
  bool has_name_;
  std::string pending_;
  bool finished_ = false;
  absl::Status status_;
};

class PlainOutput final : public FileOutput {
 public:
  using FileOutput::FileOutput;

 protected:
  void Compress(std::string_view text, bool) override {
    WriteBytes(text.data(), text.size());
  }
};

class GzipOutput final : public FileOutput {
 public:
  template <typename... Args>
  explicit GzipOutput(Args&&... args)
      : FileOutput(std::forward<Args>(args)...), buffer_(kBufferBytes) {
    constexpr int kGzipWindow = 15 + 16;  // the largest, with gzip's header
    deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow,
                 /*memLevel=*/8, Z_DEFAULT_STRATEGY);
  }
  ~GzipOutput() override { deflateEnd(&stream_); }

 protected:
  void Compress(std::string_view text, bool last) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      WriteBytes(buffer_.data(), buffer_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  std::vector<char> buffer_;
  z_stream stream_ = {};
};

class ZstdOutput final : public FileOutput {
 public:
  template <typename... Args>
  explicit ZstdOutput(Args&&... args)
      : FileOutput(std::forward<Args>(args)...),
        buffer_(kBufferBytes),
        stream_(ZSTD_createCCtx()) {
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, kZstdLevel);
  }
  ~ZstdOutput() override { ZSTD_freeCCtx(stream_); }

 protected:
  void Compress(std::string_view text, bool last) override {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      left = ZSTD_compressStream2(stream_, &out, &in,
                                  last ? ZSTD_e_end : ZSTD_e_continue);
      WriteBytes(buffer_.data(), out.pos);
    } while (last ? left > 0 : in.pos < in.size);
  }

 private:
  std::vector<char> buffer_;
  ZSTD_CCtx* const stream_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<TextOutput>> TextOutput::Create(
    const std::filesystem::path& path) {
  TemporaryFile file = MakeTemporaryFile(path);
  if (file.fd < 0) return FileError("create", path, errno);
  if (path.extension() == ".gz")
    return std::make_unique<GzipOutput>(path, std::move(file));
  if (path.extension() == ".zst")
    return std::make_unique<ZstdOutput>(path, std::move(file));
  return std::make_unique<PlainOutput>(path, std::move(file));
}

absl::Status CommitAll(std::span<const std::unique_ptr<TextOutput>> files) {
  for (const auto& file : files) SLICE_RETURN_IF_ERROR(file->Finish());
  for (size_t i = 0; i < files.size(); ++i) {
    const absl::Status committed = files[i]->Commit();
    if (committed.ok()) continue;
    for (const auto& earlier : files.first(i))
      ::unlink(earlier->path().c_str());
    return committed;
  }
  return absl::OkStatus();
}

}  // namespace slice
