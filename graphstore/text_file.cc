#include "graphstore/text_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kBufferBytes = 256 << 10;
constexpr unsigned char kZstdMagic[] = {0x28, 0xB5, 0x2F, 0xFD};
constexpr int kZstdLevel = 3;

absl::Status Damaged(const std::filesystem::path& path, const char* format,
                     const std::string& reason) {
  return absl::DataLossError(
      absl::StrCat(path.string(), " is not whole ", format, " data: ", reason));
}

// gzip by zlib, which hands on a file without gzip's magic as it is.
class GzipInput final : public TextInput {
 public:
  GzipInput(std::filesystem::path path, int fd)
      : path_(std::move(path)), file_(gzdopen(fd, "rb")) {
    gzbuffer(file_, kBufferBytes);
  }
  ~GzipInput() override { gzclose_r(file_); }

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    const int count = gzread(file_, buffer, static_cast<unsigned>(size));
    if (count > 0) return static_cast<size_t>(count);
    int error = Z_OK;
    const char* reason = gzerror(file_, &error);
    if (error == Z_ERRNO) return FileError("read", path_, errno);
    if (error == Z_BUF_ERROR)
      return Damaged(path_, "gzip", "it ends in the middle");
    if (error != Z_OK && error != Z_STREAM_END)
      return Damaged(path_, "gzip", reason);
    return 0;
  }
  uint64_t position() const override {
    return static_cast<uint64_t>(std::max<z_off_t>(gzoffset(file_), 0));
  }

 private:
  const std::filesystem::path path_;
  const gzFile file_;
};

class ZstdInput final : public TextInput {
 public:
  ZstdInput(std::filesystem::path path, int fd)
      : path_(std::move(path)),
        fd_(fd),
        stream_(ZSTD_createDStream()),
        buffer_(kBufferBytes) {}
  ~ZstdInput() override {
    ZSTD_freeDStream(stream_);
    ::close(fd_);
  }

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    ZSTD_outBuffer out{buffer, size, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) {
        const ssize_t count = ::read(fd_, buffer_.data(), buffer_.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return FileError("read", path_, errno);
        if (count == 0 && wanted_ != 0)
          return Damaged(path_, "Zstandard", "it ends in the middle");
        if (count == 0) return 0;
        in_ = {buffer_.data(), static_cast<size_t>(count), 0};
        position_ += static_cast<uint64_t>(count);
      }
      wanted_ = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(wanted_))
        return Damaged(path_, "Zstandard", ZSTD_getErrorName(wanted_));
    }
    return out.pos;
  }
  uint64_t position() const override { return position_; }

 private:
  const std::filesystem::path path_;
  const int fd_;
  ZSTD_DStream* const stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  size_t wanted_ = 0;  // 0: a stream has ended
  uint64_t position_ = 0;
};

// What all outputs share: the temporary file, and the error that stops them.
class FileOutput : public TextOutput {
 public:
  FileOutput(std::filesystem::path path, std::filesystem::path temporary,
             int fd)
      : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}
  ~FileOutput() override {
    if (fd_ < 0) return;
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }

  const absl::Status& status() const override { return status_; }

  void Append(std::string_view text) override {
    pending_.append(text);
    if (pending_.size() < kBufferBytes || !status_.ok()) return;
    Compress(pending_, /*last=*/false);
    pending_.clear();
  }

  absl::Status Commit() override {
    if (status_.ok()) Compress(pending_, /*last=*/true);
    if (status_.ok() && ::fsync(fd_) != 0)
      status_ = FileError("sync", temporary_, errno);
    if (status_.ok() && ::rename(temporary_.c_str(), path_.c_str()) != 0)
      status_ = FileError("rename to", path_, errno);
    if (!status_.ok()) return status_;
    ::close(std::exchange(fd_, -1));
    return SyncPath(path_.has_parent_path() ? path_.parent_path()
                                            : std::filesystem::path("."));
  }

 protected:
  // Hands on `text` in the file's own form; `last` ends the stream.
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
  const std::filesystem::path path_, temporary_;
  int fd_;
  std::string pending_;
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

absl::StatusOr<std::unique_ptr<TextInput>> TextInput::Open(
    const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileError("open", path, errno);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    ::close(fd);
    return FileError("read", path, EISDIR);
  }
  unsigned char magic[sizeof(kZstdMagic)] = {};
  // A pipe cannot be looked into; it is plain or gzip.
  const ssize_t count = ::pread(fd, magic, sizeof(magic), 0);
  if (count == sizeof(magic) && std::equal(magic, magic + count, kZstdMagic))
    return std::make_unique<ZstdInput>(path, fd);
  return std::make_unique<GzipInput>(path, fd);
}

absl::StatusOr<std::unique_ptr<TextOutput>> TextOutput::Create(
    const std::filesystem::path& path) {
  const std::filesystem::path temporary =
      path.string() + absl::StrCat(".tmp-", static_cast<int64_t>(::getpid()));
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return FileError("create", path, errno);
  if (path.extension() == ".gz")
    return std::make_unique<GzipOutput>(path, temporary, fd);
  if (path.extension() == ".zst")
    return std::make_unique<ZstdOutput>(path, temporary, fd);
  return std::make_unique<PlainOutput>(path, temporary, fd);
}

}  // namespace slice
