// The format (numpy/lib/format.py):
//   6 bytes   "\x93NUMPY"
//   2 bytes   major and minor version
//   2 bytes   length of the header, little-endian; 4 bytes from version 2 on
//   header    a Python dictionary as text: {'descr': '<f4', 'fortran_order':
//             False, 'shape': (3, 4), }, then blanks and a line end
//   values    one after the other, without gaps
// ParseHeader searches the dictionary for the three keys and does not parse
// Python, since NumPy writes the dictionary in one way only. ReadNpyMatrix
// requires that the file has exactly the size that the shape needs.
// WriteNpyMatrix writes version 1.
#include "common/npy_file.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

struct NpyHeader {
  std::string dtype;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
  size_t values_at = 0;  // offset of the first value
};

absl::Status NotNpy(const std::filesystem::path& path, std::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(path.string(), " is not a .npy file: ", std::string(why),
                   "; write it with numpy.save"));
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

// The text after 'key': in the dictionary; nullopt without the key.
std::optional<std::string_view> FindValue(std::string_view dictionary,
                                          std::string_view key) {
  const std::string quoted = absl::StrCat("'", std::string(key), "':");
  const size_t at = dictionary.find(quoted);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = dictionary.substr(at + quoted.size());
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

// The numbers of a shape such as "(3, 4)"; nullopt for any other text.
std::optional<std::vector<uint64_t>> ParseShape(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const size_t close = text.find(')');
  if (close == std::string_view::npos) return std::nullopt;
  std::vector<uint64_t> shape;
  const char* at = text.data() + 1;
  const char* const end = text.data() + close;
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    uint64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || extent > uint64_t{1} << 40) return std::nullopt;
    shape.push_back(extent);
    at = next;
  }
  return shape;
}

absl::StatusOr<NpyHeader> ParseHeader(const std::string& bytes,
                                      const std::filesystem::path& path) {
  const std::string_view text = bytes;
  if (!text.starts_with(kMagic))
    return NotNpy(path, "it does not start like one");
  if (text.size() < 12) return NotNpy(path, "it ends within its header");
  const size_t length_bytes = text[6] == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  NpyHeader header;
  header.values_at = start + LittleEndian(text.substr(8, length_bytes));
  if (header.values_at > text.size()) {
    return NotNpy(path, "it ends within its header");
  }
  const auto dictionary = text.substr(start, header.values_at - start);
  const auto dtype = FindValue(dictionary, "descr");
  const auto order = FindValue(dictionary, "fortran_order");
  const auto shape_text = FindValue(dictionary, "shape");
  if (!dtype || !order || !shape_text) {
    return NotNpy(path, "its header lacks descr, fortran_order or shape");
  }
  const auto shape = ParseShape(*shape_text);
  if (!shape) return NotNpy(path, "its shape is not readable");
  header.shape = *shape;
  header.fortran_order = order->starts_with("True");
  // The dtype of plain numbers is in quotes. The dtype of a structured array is
  // a list; its first characters are kept for the error message.
  const size_t close =
      dtype->starts_with('\'') ? dtype->find('\'', 1) : std::string_view::npos;
  header.dtype = std::string(close == std::string_view::npos
                                 ? dtype->substr(0, 20)
                                 : dtype->substr(1, close - 1));
  return header;
}

template <typename Value>
void CopyValues(std::string_view bytes, bool fortran_order, NpyMatrix& matrix) {
  for (size_t row = 0; row < matrix.rows; ++row) {
    for (size_t column = 0; column < matrix.columns; ++column) {
      const size_t place = fortran_order ? column * matrix.rows + row
                                         : row * matrix.columns + column;
      Value value;
      std::memcpy(&value, bytes.data() + place * sizeof(Value), sizeof(Value));
      matrix.values[row * matrix.columns + column] = static_cast<float>(value);
    }
  }
}

}  // namespace

absl::StatusOr<NpyMatrix> ReadNpyMatrix(const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  SLICE_ASSIGN_OR_RETURN(const NpyHeader header, ParseHeader(bytes, path));
  const bool is_float32 = header.dtype == "<f4";
  if (!is_float32 && header.dtype != "<f8") {
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(), " holds values of type ", header.dtype,
                     ", not <f4 or <f8; convert it with "
                     "numpy.save(path, array.astype('<f4'))"));
  }
  if (header.shape.size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(), " has ", header.shape.size(),
                     " dimensions, not two: one row per node is needed"));
  }
  NpyMatrix matrix{header.shape[0], header.shape[1], {}};
  const size_t width = is_float32 ? 4 : 8;
  const size_t have = bytes.size() - header.values_at;
  const auto needed =
      static_cast<unsigned __int128>(matrix.rows) * matrix.columns * width;
  if (needed != have) {
    return absl::DataLossError(absl::StrCat(
        path.string(), " has ", have, " bytes of values, which are not ",
        matrix.rows, " rows of ", matrix.columns, " numbers of ", width,
        " bytes each: the file is damaged or cut short"));
  }
  matrix.values.resize(matrix.rows * matrix.columns);
  const auto values = std::string_view(bytes).substr(header.values_at);
  if (is_float32) {
    CopyValues<float>(values, header.fortran_order, matrix);
  } else {
    CopyValues<double>(values, header.fortran_order, matrix);
  }
  return matrix;
}

absl::Status WriteNpyMatrix(const std::filesystem::path& path,
                            std::span<const float> values, size_t columns) {
  // The values must start at a multiple of 64 bytes, and the header must end in
  // a line end.
  constexpr size_t kAlignment = 64;
  std::string header =
      absl::StrCat("{'descr': '<f4', 'fortran_order': False, 'shape': (",
                   values.size() / columns, ", ", columns, "), }");
  const size_t before = kMagic.size() + 4;
  const size_t padded =
      (before + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  header.resize(padded - before - 1, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()),
               values.size_bytes());
  return WriteFileAtomically(path, bytes);
}

}  // namespace slice
