// TextInput::Open looks at the first bytes of a file. When they are the magic
// number of Zstandard, ZstdInput reads the file. Those of formats that people
// take for text, such as spreadsheets, are refused by name. Every other file
// goes through zlib, which recognises gzip by its magic number and passes plain
// text through unchanged.
//
// A stream that ends early is an error, never a shorter text: zlib reports it
// as Z_BUF_ERROR, and Zstandard's decoder says after each step how many bytes
// it still wants, which is 0 only between streams.
#include "common/table/text_input.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"

namespace slice {
namespace {

constexpr size_t kBufferBytes = 256 << 10;
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

// A format that is not read, by the bytes that such a file begins with.
struct OtherFormat {
  std::string_view magic;
  const char* advice;
};
constexpr OtherFormat kOtherFormats[] = {
    {"PK\x03\x04",
     "is a ZIP archive, perhaps a spreadsheet; save it as CSV, or unpack it"},
    {"PAR1\x15", "is a Parquet file; save it as CSV"},
    {"\xFF\xFE", "is text in UTF-16; save it in UTF-8"},
    {"\xFE\xFF", "is text in UTF-16; save it in UTF-8"},
};

absl::Status Damaged(const std::filesystem::path& path, const char* format,
                     const std::string& reason) {
  return absl::DataLossError(
      absl::StrCat(path.string(), " is not valid ", format, " data: ", reason));
}

// A gzip or plain file.
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
  size_t wanted_ = 0;  // 0: between two streams
  uint64_t position_ = 0;
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
  char first[8] = {};
  // The start of a pipe cannot be read ahead, so a pipe is plain or gzip.
  const ssize_t count = ::pread(fd, first, sizeof(first), 0);
  const std::string_view start(
      first, static_cast<size_t>(std::max<ssize_t>(0, count)));
  if (start.starts_with(kZstdMagic)) {
    return std::make_unique<ZstdInput>(path, fd);
  }
  for (const OtherFormat& other : kOtherFormats) {
    if (!start.starts_with(other.magic)) continue;
    ::close(fd);
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(), " ", other.advice));
  }
  return std::make_unique<GzipInput>(path, fd);
}

}  // namespace slice
