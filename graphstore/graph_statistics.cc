// File format, all integers little-endian:
//   "SLICESTA"  8 bytes
//   u32         format version, 1
//   u32         number of arrays
//   per array, in the order of the names:
//     u32 length, bytes    name
//     u32                  element type; 1 = float32
//     u32                  rank
//     i64 x rank           shape
//     f32 x product(shape) values, row-major
//   u64         XXH3 of everything before
#include "graphstore/graph_statistics.h"

#include <bit>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/files.h"
#include "common/random.h"
#include "common/status_macros.h"

namespace slice {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "SLICESTA";
constexpr uint32_t kFormatVersion = 1;
constexpr uint32_t kFloat32 = 1;
constexpr uint32_t kMostDimensions = 8;

template <typename T>
void Append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// The number of values of a shape. Returns nullopt when a dimension is
// negative, or when the number is above `most`.
std::optional<uint64_t> ValueCount(const std::vector<int64_t>& shape,
                                   uint64_t most) {
  uint64_t count = 1;
  for (const int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (dimension > 0 && count > most / dimension) return std::nullopt;
    count *= dimension;
  }
  return count;
}

// Reads values from the front of a buffer, never past its end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  bool Read(T* value) {
    if (bytes_.size() < sizeof(T)) return false;
    std::memcpy(value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return true;
  }

  bool ReadString(size_t length, std::string* text) {
    if (bytes_.size() < length) return false;
    text->assign(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return true;
  }

  bool ReadFloats(uint64_t count, std::vector<float>* values) {
    if (bytes_.size() / sizeof(float) < count) return false;
    values->resize(count);
    if (count > 0)
      std::memcpy(values->data(), bytes_.data(), count * sizeof(float));
    bytes_.remove_prefix(count * sizeof(float));
    return true;
  }

  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

bool ReadArray(ByteReader* reader, std::string* name, NamedArray* array) {
  uint32_t name_length = 0, element_type = 0, rank = 0;
  if (!reader->Read(&name_length) || !reader->ReadString(name_length, name) ||
      !reader->Read(&element_type) || element_type != kFloat32 ||
      !reader->Read(&rank) || rank > kMostDimensions)
    return false;
  array->shape.resize(rank);
  for (int64_t& dimension : array->shape) {
    if (!reader->Read(&dimension)) return false;
  }
  const auto count = ValueCount(array->shape, reader->left() / sizeof(float));
  return count.has_value() && reader->ReadFloats(*count, &array->values);
}

}  // namespace

absl::StatusOr<const NamedArray*> GraphStatistics::Get(
    std::string_view name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) {
    return absl::NotFoundError(absl::StrCat(
        "the graph statistics hold no array \"", std::string(name), "\""));
  }
  return &found->second;
}

absl::Status GraphStatistics::Save(const std::filesystem::path& path) const {
  std::string bytes(kMagic);
  Append(&bytes, kFormatVersion);
  Append(&bytes, static_cast<uint32_t>(arrays_.size()));
  for (const auto& [name, array] : arrays_) {
    const auto count = ValueCount(array.shape, array.values.size());
    if (array.shape.size() > kMostDimensions || !count.has_value() ||
        *count != array.values.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("array \"", name, "\" has ", array.values.size(),
                       " values, which do not fill its shape [",
                       absl::StrJoin(array.shape, ", "), "]"));
    }
    Append(&bytes, static_cast<uint32_t>(name.size()));
    bytes.append(name);
    Append(&bytes, kFloat32);
    Append(&bytes, static_cast<uint32_t>(array.shape.size()));
    for (const int64_t dimension : array.shape) Append(&bytes, dimension);
    bytes.append(reinterpret_cast<const char*>(array.values.data()),
                 array.values.size() * sizeof(float));
  }
  Append(&bytes, HashBytes(bytes));
  return WriteFileAtomically(path, bytes);
}

absl::StatusOr<GraphStatistics> GraphStatistics::Load(
    const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  const auto damaged = [&](std::string_view reason) {
    return absl::DataLossError(absl::StrCat("graph statistics ", path.string(),
                                            ": ", std::string(reason)));
  };
  if (bytes.size() < kMagic.size() + sizeof(uint64_t))
    return damaged("the file is truncated");
  if (!std::string_view(bytes).starts_with(kMagic))
    return damaged("this is not a statistics file");
  const std::string_view body(bytes.data(), bytes.size() - sizeof(uint64_t));
  uint64_t checksum = 0;
  std::memcpy(&checksum, body.data() + body.size(), sizeof(checksum));
  if (checksum != HashBytes(body))
    return damaged(
        "the file is truncated or changed: its checksum does not match");

  ByteReader reader(body.substr(kMagic.size()));
  uint32_t version = 0, count = 0;
  if (!reader.Read(&version) || !reader.Read(&count))
    return damaged("the header is incomplete");
  if (version != kFormatVersion) {
    return damaged(absl::StrCat("the file has format version ", version,
                                ", but this program reads version ",
                                kFormatVersion));
  }
  GraphStatistics statistics;
  for (uint32_t i = 0; i < count; ++i) {
    std::string name;
    NamedArray array;
    if (!ReadArray(&reader, &name, &array))
      return damaged(absl::StrCat("array ", i, " is malformed"));
    statistics.Set(std::move(name), std::move(array));
  }
  if (reader.left() != 0) return damaged("bytes follow the last array");
  return statistics;
}

}  // namespace slice
