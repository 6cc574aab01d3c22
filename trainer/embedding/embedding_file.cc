// Reads embeddings by node key. The extension of the file names its format:
// .npy is a NumPy matrix, .bin is word2vec's binary format, and any other
// extension is word2vec's text format. Each reader checks the size that the
// file announces. Then it hands the rows one by one to NodeVectors, which finds
// the node of each row and refuses repeated keys and numbers that are not
// finite. Every message names the file and the line or row.
#include "trainer/embedding/embedding_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/npy_file.h"
#include "common/status_macros.h"
#include "common/table/whole_text.h"
#include "trainer/embedding/node_vectors.h"

namespace slice {
namespace {

constexpr size_t kMostDim = 4096;
constexpr std::string_view kBlank = " \t";

absl::Status CheckDim(uint64_t dim, const EmbeddingFileOptions& options) {
  if (dim < 1 || dim > kMostDim) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.path.string(), " has vectors of ", dim,
                     " numbers; they must have from 1 to ", kMostDim));
  }
  if (options.dim != 0 && dim != static_cast<uint64_t>(options.dim)) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.path.string(), " has vectors of ", dim,
                     " numbers, but --dim is ", options.dim,
                     "; leave --dim out to use the dimension of the file"));
  }
  return absl::OkStatus();
}

// Takes the next line off the text, without its end.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Takes the last field off a line; empty when there is none.
std::string_view TakeLastField(std::string_view& line) {
  const size_t last = line.find_last_not_of(kBlank);
  if (last == std::string_view::npos) return line = {};
  const size_t before = line.find_last_of(kBlank, last);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view field = line.substr(begin, last + 1 - begin);
  line = line.substr(0, begin);
  return field;
}

size_t CountFields(std::string_view line) {
  size_t count = 0;
  while (!TakeLastField(line).empty()) ++count;
  return count;
}

template <typename Number>
bool ParseWhole(std::string_view text, Number& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() &&
         !text.empty();
}

struct Announced {
  uint64_t rows = 0;
  uint64_t dim = 0;
};

absl::StatusOr<Announced> ParseFirstLine(std::string_view line,
                                         const EmbeddingFileOptions& options) {
  std::string_view rest = line;
  const std::string_view dim = TakeLastField(rest);
  const std::string_view rows = TakeLastField(rest);
  Announced announced;
  if (!TakeLastField(rest).empty() || !ParseWhole(dim, announced.dim) ||
      !ParseWhole(rows, announced.rows)) {
    return FilePlace{&options.path, "line", 1}.Error(
        absl::StrCat("'", std::string(line.substr(0, 40)),
                     "' is not the number of rows and their dimension, "
                     "such as '1000 128'; the name of a NumPy file must end "
                     "in .npy"));
  }
  SLICE_RETURN_IF_ERROR(CheckDim(announced.dim, options));
  return announced;
}

absl::Status WrongRowCount(const EmbeddingFileOptions& options, uint64_t found,
                           std::string_view announced_by, uint64_t announced) {
  return absl::DataLossError(
      absl::StrCat(options.path.string(), " has ", found, " rows, but ",
                   std::string(announced_by), " ", announced,
                   found < announced ? "; it may have been cut short" : ""));
}

// Reads a line of the text format into `row` and returns its key. The last
// row.size() fields are the numbers; the key, which may hold spaces, is
// everything before them.
absl::StatusOr<std::string_view> ParseRow(std::string_view line,
                                          const NodeVectors& vectors,
                                          const FilePlace& place,
                                          std::vector<float>& row) {
  const size_t fields = CountFields(line);
  std::string_view key = line;
  size_t bad = 0;
  std::string_view bad_text;
  for (size_t k = row.size(); k > 0 && fields > row.size(); --k) {
    const std::string_view text = TakeLastField(key);
    double number = 0;
    if (!ParseWhole(text, number)) {
      bad = k;
      bad_text = text;
    }
    row[k - 1] = static_cast<float>(number);
  }
  key = key.substr(0, key.find_last_not_of(kBlank) + 1);
  const bool known = vectors.snapshot().names().FindKey(key).has_value();
  if (fields < row.size() + 1 || (fields > row.size() + 1 && !known)) {
    return place.Error(absl::StrCat("it has ", fields == 0 ? 0 : fields - 1,
                                    " numbers after its key, but the first "
                                    "line of the file announces ",
                                    row.size()));
  }
  if (bad != 0) {
    return place.Error(absl::StrCat("number ", bad, " of '", std::string(key),
                                    "' is '", std::string(bad_text),
                                    "', which is not a number; the name of a "
                                    "binary word2vec file must end in .bin"));
  }
  return key;
}

// Adds the rows of the text format.
absl::Status AddTextRows(std::string_view text, const Announced& announced,
                         const EmbeddingFileOptions& options,
                         NodeVectors& vectors) {
  std::vector<float> row(announced.dim);
  uint64_t rows = 0;
  for (uint64_t number = 2; !text.empty(); ++number) {
    const std::string_view line = TakeLine(text);
    if (line.find_first_not_of(kBlank) == std::string_view::npos) continue;
    const FilePlace place{&options.path, "line", number};
    SLICE_ASSIGN_OR_RETURN(const std::string_view key,
                           ParseRow(line, vectors, place, row));
    SLICE_RETURN_IF_ERROR(vectors.Add(key, row, place));
    ++rows;
  }
  if (rows != announced.rows) {
    return WrongRowCount(options, rows, "its first line announces",
                         announced.rows);
  }
  return absl::OkStatus();
}

// Adds the rows of the binary format.
absl::Status AddBinaryRows(std::string_view rest, const Announced& announced,
                           const EmbeddingFileOptions& options,
                           NodeVectors& vectors) {
  std::vector<float> row(announced.dim);
  const size_t row_bytes = announced.dim * sizeof(float);
  uint64_t rows = 0;
  for (; rows < announced.rows; ++rows) {
    // Some programs write a line end after each row, some do not.
    while (rest.starts_with('\n')) rest.remove_prefix(1);
    const size_t space = rest.find(' ');
    if (space == std::string_view::npos ||
        rest.size() - space - 1 < row_bytes) {
      return WrongRowCount(options, rows, "its first line announces",
                           announced.rows);
    }
    std::memcpy(row.data(), rest.data() + space + 1, row_bytes);
    SLICE_RETURN_IF_ERROR(vectors.Add(rest.substr(0, space), row,
                                      {&options.path, "row", rows + 1}));
    rest.remove_prefix(space + 1 + row_bytes);
  }
  if (rest.find_first_not_of('\n') != std::string_view::npos) {
    return absl::DataLossError(absl::StrCat(
        options.path.string(), " goes on after the ", announced.rows,
        " rows that its first line announces; the name of a text file must not "
        "end in .bin"));
  }
  return absl::OkStatus();
}

// Reads a file in one of word2vec's two formats, which both begin with a line
// of text.
absl::StatusOr<FileEmbeddings> ReadWord2vec(const EmbeddingFileOptions& options,
                                            const GraphSnapshot& snapshot,
                                            bool binary) {
  SLICE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeText(options.path));
  std::string_view rest = bytes;
  SLICE_ASSIGN_OR_RETURN(const Announced announced,
                         ParseFirstLine(TakeLine(rest), options));
  NodeVectors vectors(snapshot, announced.dim);
  const auto add_rows = binary ? AddBinaryRows : AddTextRows;
  SLICE_RETURN_IF_ERROR(add_rows(rest, announced, options, vectors));
  return std::move(vectors).Finish(options.path, options.fill_missing);
}

// The extension that names the format: the last one, or the one before .gz or
// .zst.
std::string Format(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".gz" || extension == ".zst"
             ? path.stem().extension().string()
             : extension;
}

// The text of the file of keys, which has the key of each row on a line.
// Nothing when there is no such file; then row i belongs to node i.
absl::StatusOr<std::optional<std::string>> ReadKeys(
    const EmbeddingFileOptions& options) {
  const std::filesystem::path path = EmbeddingKeysFile(options);
  if (path.empty()) return std::nullopt;
  SLICE_ASSIGN_OR_RETURN(std::string keys, ReadWholeText(path));
  return std::optional<std::string>(std::move(keys));
}

absl::StatusOr<FileEmbeddings> ReadNpy(const EmbeddingFileOptions& options,
                                       const GraphSnapshot& snapshot) {
  SLICE_ASSIGN_OR_RETURN(const NpyMatrix matrix, ReadNpyMatrix(options.path));
  SLICE_RETURN_IF_ERROR(CheckDim(matrix.columns, options));
  SLICE_ASSIGN_OR_RETURN(const std::optional<std::string> keys,
                         ReadKeys(options));
  if (!keys && matrix.rows != snapshot.node_count()) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.path.string(), " has ", matrix.rows, " rows for ",
        snapshot.node_count(),
        " nodes; name a file with the key of each row, one per line, with "
        "--embedding-keys"));
  }
  NodeVectors vectors(snapshot, matrix.columns);
  std::string_view text = keys ? std::string_view(*keys) : "";
  for (size_t row = 0; row < matrix.rows; ++row) {
    if (keys && text.empty()) {
      return WrongRowCount(options, matrix.rows, "its file of keys has", row);
    }
    const std::string_view key =
        keys ? TakeLine(text) : std::string_view(snapshot.Key(row));
    SLICE_RETURN_IF_ERROR(vectors.Add(
        key,
        std::span(matrix.values).subspan(row * matrix.columns, matrix.columns),
        {&options.path, "row", row + 1}));
  }
  if (text.find_first_not_of("\r\n") != std::string_view::npos) {
    const auto more = std::count(text.begin(), text.end(), '\n') +
                      (text.ends_with('\n') ? 0 : 1);
    return WrongRowCount(options, matrix.rows, "its file of keys has",
                         matrix.rows + more);
  }
  return std::move(vectors).Finish(options.path, options.fill_missing);
}

}  // namespace

std::filesystem::path EmbeddingKeysFile(const EmbeddingFileOptions& options) {
  if (!options.keys.empty() || Format(options.path) != ".npy") {
    return options.keys;
  }
  std::filesystem::path beside = options.path;
  beside.replace_extension(".keys");
  std::error_code error;
  return std::filesystem::exists(beside, error) ? beside
                                                : std::filesystem::path();
}

absl::StatusOr<FileEmbeddings> ReadEmbeddingFile(
    const EmbeddingFileOptions& options, const GraphSnapshot& snapshot) {
  const std::string extension = Format(options.path);
  if (extension == ".npy") return ReadNpy(options, snapshot);
  if (!options.keys.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--embedding-keys is for .npy files; leave it out, because ",
        options.path.string(), " itself holds the keys"));
  }
  return ReadWord2vec(options, snapshot, /*binary=*/extension == ".bin");
}

}  // namespace slice
