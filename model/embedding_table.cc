// embeddings.bin: the header below (64 bytes, so that rows stay aligned), then
// float32 [rows, dim], row-major, little-endian.
//
// The file is read into memory rather than mapped: if a mapped file is
// truncated while it is in use, the process ends. The memory comes from mmap,
// which needs no clearing and returns an error, instead of throwing, when
// memory ran out.
#include "model/embedding_table.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/file_descriptor.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

struct Header {
  char magic[8];  // "SLICEEMB"
  uint32_t version;
  uint32_t dim;
  uint64_t rows;
  char reserved[40];
};
static_assert(sizeof(Header) == 64);

constexpr char kMagic[] = "SLICEEMB";
constexpr uint32_t kVersion = 1;

absl::Status CheckHeader(const Header& header, uint64_t file_size,
                         const std::filesystem::path& path) {
  if (std::memcmp(header.magic, kMagic, sizeof(header.magic)) != 0 ||
      header.version != kVersion) {
    return absl::DataLossError(absl::StrCat(
        path.string(), " is not an embedding table of version ", kVersion));
  }
  const uint64_t expected =
      sizeof(Header) + header.rows * header.dim * sizeof(float);
  if (expected != file_size) {
    return absl::DataLossError(
        absl::StrCat(path.string(), " has ", file_size, " bytes; ", header.rows,
                     " rows of ", header.dim, " numbers need ", expected));
  }
  return absl::OkStatus();
}

absl::Status ReadAll(const FileDescriptor& file,
                     const std::filesystem::path& path, char* out,
                     size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = ::read(file.get(), out + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError("read", path, errno);
    if (count == 0) {
      return absl::DataLossError(
          absl::StrCat(path.string(), " became shorter while it was read"));
    }
    done += static_cast<size_t>(count);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<EmbeddingTable>> EmbeddingTable::Open(
    const std::filesystem::path& path) {
  const FileDescriptor file(path, O_RDONLY);
  if (!file.ok()) return FileError("open", path, errno);
  struct stat info;
  if (::fstat(file.get(), &info) != 0) return FileError("read", path, errno);
  const auto size = static_cast<size_t>(info.st_size);
  if (size < sizeof(Header)) {
    return absl::DataLossError(
        absl::StrCat(path.string(), " is too short for an embedding table"));
  }
  auto table = std::unique_ptr<EmbeddingTable>(new EmbeddingTable);
  SLICE_RETURN_IF_ERROR(table->Allocate(size));
  SLICE_RETURN_IF_ERROR(
      ReadAll(file, path, static_cast<char*>(table->memory_), size));
  Header header;
  std::memcpy(&header, table->memory_, sizeof(header));
  if (absl::Status status = CheckHeader(header, size, path); !status.ok()) {
    return status;
  }
  table->rows_ = header.rows;
  table->dim_ = static_cast<int>(header.dim);
  table->data_ = reinterpret_cast<const float*>(
      static_cast<const char*>(table->memory_) + sizeof(Header));
  return table;
}

absl::Status EmbeddingTable::Allocate(size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", size, " bytes of embeddings"));
  }
  memory_ = memory;
  memory_size_ = size;
  return absl::OkStatus();
}

absl::Status EmbeddingTable::Save(const std::filesystem::path& path,
                                  std::span<const float> values, uint64_t rows,
                                  int dim) {
  if (values.size() != rows * static_cast<uint64_t>(dim)) {
    return absl::InvalidArgumentError(
        absl::StrCat("embedding table has ", values.size(), " values, not ",
                     rows, " x ", dim));
  }
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(header.magic));
  header.version = kVersion;
  header.dim = static_cast<uint32_t>(dim);
  header.rows = rows;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(values.data()),
               values.size_bytes());
  return WriteFileAtomically(path, bytes);
}

EmbeddingTable::~EmbeddingTable() {
  if (memory_ != nullptr) ::munmap(memory_, memory_size_);
}

}  // namespace slice
