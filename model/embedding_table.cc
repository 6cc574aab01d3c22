#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "model/model_bundle.h"

// embeddings.bin: the header below (64 bytes, so that rows stay aligned), then
// float32 [rows, dim], row-major, little-endian.

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

}  // namespace

absl::StatusOr<std::unique_ptr<EmbeddingTable>> EmbeddingTable::Open(
    const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileError("open", path, errno);
  struct stat info;
  const bool readable = ::fstat(fd, &info) == 0;
  const size_t size = readable ? static_cast<size_t>(info.st_size) : 0;
  if (size < sizeof(Header)) {
    ::close(fd);
    return absl::DataLossError(
        absl::StrCat(path.string(), " is too short for an embedding table"));
  }
  void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int error_number = errno;
  ::close(fd);
  if (mapping == MAP_FAILED) return FileError("map", path, error_number);
  auto table = std::unique_ptr<EmbeddingTable>(new EmbeddingTable);
  table->mapping_ = mapping;
  table->mapping_size_ = size;
  Header header;
  std::memcpy(&header, mapping, sizeof(header));
  if (absl::Status status = CheckHeader(header, size, path); !status.ok()) {
    return status;
  }
  table->rows_ = header.rows;
  table->dim_ = static_cast<int>(header.dim);
  table->data_ = reinterpret_cast<const float*>(
      static_cast<const char*>(mapping) + sizeof(Header));
  return table;
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
  if (mapping_ != nullptr) ::munmap(mapping_, mapping_size_);
}

}  // namespace slice
