// TextInput::Open looks at the first bytes of a file. When they are the magic
// number of Zstandard, ZstdInput reads the file. Those of formats that people
// take for text, such as spreadsheets, are refused by name. GzipInput reads
// every other file: it recognises gzip by its magic number and passes plain
// text through unchanged.
//
// A stream that ends early is an error, never a shorter text: zlib then has not
// returned Z_STREAM_END, and Zstandard's decoder says after each step how many
// bytes it still wants, which is 0 only between streams. Other bytes behind a
// stream are an error too, for they may be rows that someone appended. Zeros
// may pad a gzip file.
#include "common/table/text_input.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kBufferBytes = 256 << 10;
constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr int kGzipWindowBits = 15 + 16;  // the largest window, a gzip header
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

// A gzip or plain file; the first bytes say which. They are taken from the
// first read, since a pipe cannot be read twice.
class GzipInput final : public TextInput {
 public:
  GzipInput(std::filesystem::path path, int fd)
      : path_(std::move(path)), fd_(fd), buffer_(kBufferBytes) {
    stream_.next_in = buffer_.data();
  }
  ~GzipInput() override {
    if (format_ == Format::kGzip) inflateEnd(&stream_);
    ::close(fd_);
  }

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (format_ == Format::kUnknown) SLICE_RETURN_IF_ERROR(Begin());
    return format_ == Format::kGzip ? Inflate(buffer, size)
                                    : ReadPlain(buffer, size);
  }
  uint64_t position() const override { return position_; }

 private:
  enum class Format : uint8_t { kUnknown, kPlain, kGzip };

  absl::StatusOr<size_t> ReadFile(void* buffer, size_t size) {
    ssize_t count = 0;
    do {
      count = ::read(fd_, buffer, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return FileError("read", path_, errno);
    position_ += static_cast<uint64_t>(count);
    return static_cast<size_t>(count);
  }

  // Reads until `least` bytes wait in the buffer, or the file ends.
  absl::Status Fill(size_t least) {
    while (stream_.avail_in < least) {
      std::memmove(buffer_.data(), stream_.next_in, stream_.avail_in);
      stream_.next_in = buffer_.data();
      SLICE_ASSIGN_OR_RETURN(const size_t count,
                             ReadFile(buffer_.data() + stream_.avail_in,
                                      buffer_.size() - stream_.avail_in));
      if (count == 0) break;
      stream_.avail_in += static_cast<uInt>(count);
    }
    return absl::OkStatus();
  }

  // Whether a gzip stream begins in the buffer.
  absl::StatusOr<bool> FindsMagic() {
    SLICE_RETURN_IF_ERROR(Fill(kGzipMagic.size()));
    const std::string_view waiting(
        reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    return waiting.starts_with(kGzipMagic);
  }

  absl::Status Begin() {
    SLICE_ASSIGN_OR_RETURN(const bool is_gzip, FindsMagic());
    if (is_gzip && inflateInit2(&stream_, kGzipWindowBits) != Z_OK)
      return absl::ResourceExhaustedError("out of memory for gzip");
    format_ = is_gzip ? Format::kGzip : Format::kPlain;
    return absl::OkStatus();
  }

  absl::StatusOr<size_t> ReadPlain(char* buffer, size_t size) {
    if (stream_.avail_in == 0) return ReadFile(buffer, size);
    const size_t count = std::min<size_t>(size, stream_.avail_in);
    std::memcpy(buffer, stream_.next_in, count);
    stream_.next_in += count;
    stream_.avail_in -= static_cast<uInt>(count);
    return count;
  }

  // Goes to the next stream, over zeros that pad the one before. False at the
  // end of the file.
  absl::StatusOr<bool> NextStream() {
    SLICE_RETURN_IF_ERROR(Fill(1));
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
      SLICE_RETURN_IF_ERROR(Fill(1));
    }
    if (stream_.avail_in == 0) return false;
    SLICE_ASSIGN_OR_RETURN(const bool is_gzip, FindsMagic());
    if (!is_gzip)
      return Damaged(path_, "gzip", "other bytes follow the compressed text");
    inflateReset(&stream_);
    between_ = false;
    return true;
  }

  absl::StatusOr<size_t> Inflate(char* buffer, size_t size) {
    const uInt most = static_cast<uInt>(std::min<size_t>(size, 1 << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = most;
    while (stream_.avail_out == most) {
      if (between_) {
        SLICE_ASSIGN_OR_RETURN(const bool is_there, NextStream());
        if (!is_there) return 0;
      }
      SLICE_RETURN_IF_ERROR(Fill(1));
      if (stream_.avail_in == 0)
        return Damaged(path_, "gzip", "it ends in the middle");
      const int result = inflate(&stream_, Z_NO_FLUSH);
      between_ = result == Z_STREAM_END;
      if (result != Z_OK && !between_) {
        return Damaged(path_, "gzip",
                       stream_.msg == nullptr ? "unknown" : stream_.msg);
      }
    }
    return most - stream_.avail_out;
  }

  const std::filesystem::path path_;
  const int fd_;
  std::vector<Bytef> buffer_;
  z_stream stream_ = {};  // its input is what waits in the buffer
  Format format_ = Format::kUnknown;
  bool between_ = false;  // two gzip streams
  uint64_t position_ = 0;
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

// Takes the descriptor over.
absl::StatusOr<std::unique_ptr<TextInput>> InputOf(
    const std::filesystem::path& path, int fd) {
  char first[8] = {};
  // The start of a pipe cannot be read ahead, so a pipe is plain or gzip.
  const off_t at = std::max<off_t>(0, ::lseek(fd, 0, SEEK_CUR));
  const ssize_t count = ::pread(fd, first, sizeof(first), at);
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
  return InputOf(path, fd);
}

absl::StatusOr<std::unique_ptr<TextInput>> TextInput::OpenStandardInput() {
  const std::filesystem::path name = "standard input";
  const int fd = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return FileError("read", name, errno);
  return InputOf(name, fd);
}

}  // namespace slice
