#include "trainer/embedding/embedding_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
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
#include "graphstore/text_input.h"
#include "trainer/embedding/type_means.h"

namespace slice {
namespace {

constexpr size_t kMostDim = 4096;
constexpr size_t kNamedNodes = 3;
constexpr std::string_view kBlank = " \t";

// Where something stands, for messages: "vectors.txt, line 7".
struct Place {
  std::string Text() const {
    return absl::StrCat(path->string(), ", ", unit, " ", number);
  }

  const std::filesystem::path* path;
  const char* unit;  // "line" or "row"
  uint64_t number;   // from 1
};

absl::Status At(const Place& place, std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat(place.Text(), ": ", std::string(what)));
}

// The whole file, decompressed.
absl::StatusOr<std::string> ReadWhole(const std::filesystem::path& path) {
  constexpr size_t kPiece = size_t{1} << 20;
  SLICE_ASSIGN_OR_RETURN(const auto input, TextInput::Open(path));
  std::string text;
  for (size_t size = 0;;) {
    text.resize(size + kPiece);
    SLICE_ASSIGN_OR_RETURN(const size_t read,
                           input->Read(text.data() + size, kPiece));
    size += read;
    if (read > 0) continue;
    text.resize(size);
    return text;
  }
}

// The table being filled.
class NodeVectors {
 public:
  NodeVectors(const GraphSnapshot& snapshot, size_t dim)
      : snapshot_(snapshot),
        dim_(dim),
        values_(snapshot.node_count() * dim),
        rows_(snapshot.node_count()) {}

  size_t dim() const { return dim_; }
  const GraphSnapshot& snapshot() const { return snapshot_; }

  // INVALID_ARGUMENT for a second row of a node, or a value that is not finite.
  absl::Status Add(std::string_view key, std::span<const float> row,
                   const Place& place) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (std::isfinite(row[i])) continue;
      return At(place, absl::StrCat("number ", i + 1, " of '", std::string(key),
                                    "' is ", row[i],
                                    " as float32; give a finite number or "
                                    "leave the row out"));
    }
    const std::optional<NodeId> node = snapshot_.names().FindKey(key);
    if (!node) {
      ++unknown_;
      return absl::OkStatus();
    }
    if (rows_[*node] != 0) {
      return At(place, absl::StrCat("'", std::string(key), "' has had ",
                                    place.unit, " ", rows_[*node],
                                    " already; give each node one row"));
    }
    rows_[*node] = place.number;
    std::copy(row.begin(), row.end(), values_.begin() + *node * dim_);
    return absl::OkStatus();
  }

  absl::StatusOr<FileEmbeddings> Finish(const EmbeddingFileOptions& options) &&;

 private:
  absl::Status DescribeMissing(const std::filesystem::path& path,
                               size_t missing) const;

  const GraphSnapshot& snapshot_;
  const size_t dim_;
  std::vector<float> values_;
  std::vector<uint64_t> rows_;  // by node: line or row, 0 for none
  size_t unknown_ = 0;
};

absl::Status NodeVectors::DescribeMissing(const std::filesystem::path& path,
                                          size_t missing) const {
  if (missing == rows_.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path.string(), " has no row of any node: none of its ", unknown_,
        " keys is a node key such as '", snapshot_.Key(0),
        "'; use the ids of the edge list as keys"));
  }
  std::string named;
  size_t count = 0;
  for (NodeId node = 0; node < rows_.size() && count < kNamedNodes; ++node) {
    if (rows_[node] != 0) continue;
    absl::StrAppend(&named, count++ == 0 ? "'" : ", '", snapshot_.Key(node),
                    "'");
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path.string(), " has no row for ", missing, " of ", rows_.size(),
      " nodes, such as ", named,
      "; add them, or let --fill_missing_embeddings give them the mean of "
      "their type"));
}

absl::StatusOr<FileEmbeddings> NodeVectors::Finish(
    const EmbeddingFileOptions& options) && {
  FileEmbeddings embeddings;
  embeddings.dim = static_cast<int>(dim_);
  embeddings.unknown_rows = unknown_;
  std::vector<bool> has_vector(rows_.size());
  for (size_t node = 0; node < rows_.size(); ++node) {
    has_vector[node] = rows_[node] != 0;
    embeddings.missing_nodes += rows_[node] == 0;
  }
  if (embeddings.missing_nodes > 0) {
    if (!options.fill_missing || embeddings.missing_nodes == rows_.size()) {
      return DescribeMissing(options.path, embeddings.missing_nodes);
    }
    FillWithTypeMeans(snapshot_, has_vector, dim_, values_);
  }
  embeddings.values = std::move(values_);
  return embeddings;
}

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
                     "; leave --dim out to take the file's"));
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
    return At({&options.path, "line", 1},
              absl::StrCat("'", std::string(line.substr(0, 40)),
                           "' is not the number of rows and their dimension, "
                           "such as '1000 128'; NumPy files end in .npy"));
  }
  SLICE_RETURN_IF_ERROR(CheckDim(announced.dim, options));
  return announced;
}

absl::Status WrongRowCount(const EmbeddingFileOptions& options, uint64_t found,
                           std::string_view announced_by, uint64_t announced) {
  return absl::DataLossError(
      absl::StrCat(options.path.string(), " has ", found, " rows, but ",
                   std::string(announced_by), " says ", announced,
                   found < announced ? "; it may have been cut short" : ""));
}

// One line of the text format into `row`; returns its key.
absl::StatusOr<std::string_view> ParseRow(std::string_view line,
                                          const NodeVectors& vectors,
                                          const Place& place,
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
    return At(place, absl::StrCat("it has ", fields == 0 ? 0 : fields - 1,
                                  " numbers after its key; the first line "
                                  "says ",
                                  row.size()));
  }
  if (bad != 0) {
    return At(place, absl::StrCat("number ", bad, " of '", std::string(key),
                                  "' is '", std::string(bad_text),
                                  "', which is no number; binary word2vec "
                                  "files must end in .bin"));
  }
  return key;
}

absl::StatusOr<FileEmbeddings> ReadText(const EmbeddingFileOptions& options,
                                        const GraphSnapshot& snapshot) {
  SLICE_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(options.path));
  std::string_view text = bytes;
  SLICE_ASSIGN_OR_RETURN(const Announced announced,
                         ParseFirstLine(TakeLine(text), options));
  NodeVectors vectors(snapshot, announced.dim);
  std::vector<float> row(announced.dim);
  uint64_t rows = 0;
  for (uint64_t number = 2; !text.empty(); ++number) {
    const std::string_view line = TakeLine(text);
    if (line.find_first_not_of(kBlank) == std::string_view::npos) continue;
    const Place place{&options.path, "line", number};
    SLICE_ASSIGN_OR_RETURN(const std::string_view key,
                           ParseRow(line, vectors, place, row));
    SLICE_RETURN_IF_ERROR(vectors.Add(key, row, place));
    ++rows;
  }
  if (rows != announced.rows) {
    return WrongRowCount(options, rows, "its first line", announced.rows);
  }
  return std::move(vectors).Finish(options);
}

absl::StatusOr<FileEmbeddings> ReadBinary(const EmbeddingFileOptions& options,
                                          const GraphSnapshot& snapshot) {
  SLICE_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(options.path));
  std::string_view rest = bytes;
  SLICE_ASSIGN_OR_RETURN(const Announced announced,
                         ParseFirstLine(TakeLine(rest), options));
  NodeVectors vectors(snapshot, announced.dim);
  std::vector<float> row(announced.dim);
  const size_t row_bytes = announced.dim * sizeof(float);
  uint64_t rows = 0;
  for (; rows < announced.rows; ++rows) {
    // Some writers end a row with a line end, some do not.
    while (rest.starts_with('\n')) rest.remove_prefix(1);
    const size_t space = rest.find(' ');
    if (space == std::string_view::npos ||
        rest.size() - space - 1 < row_bytes) {
      return WrongRowCount(options, rows, "its first line", announced.rows);
    }
    std::memcpy(row.data(), rest.data() + space + 1, row_bytes);
    SLICE_RETURN_IF_ERROR(vectors.Add(rest.substr(0, space), row,
                                      {&options.path, "row", rows + 1}));
    rest.remove_prefix(space + 1 + row_bytes);
  }
  if (rest.find_first_not_of('\n') != std::string_view::npos) {
    return absl::DataLossError(absl::StrCat(
        options.path.string(), " goes on after the ", announced.rows,
        " rows that its first line says; text files must not end in .bin"));
  }
  return std::move(vectors).Finish(options);
}

// The extension that tells the format, below that of a compression.
std::string Format(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".gz" || extension == ".zst"
             ? path.stem().extension().string()
             : extension;
}

// The keys of a matrix's rows; nothing when rows are nodes in their order.
absl::StatusOr<std::optional<std::string>> ReadKeys(
    const EmbeddingFileOptions& options) {
  const std::filesystem::path path = EmbeddingKeysFile(options);
  if (path.empty()) return std::nullopt;
  SLICE_ASSIGN_OR_RETURN(std::string keys, ReadWhole(path));
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
        " nodes; give the key of each row with --embedding_keys, one a line"));
  }
  NodeVectors vectors(snapshot, matrix.columns);
  std::string_view text = keys ? std::string_view(*keys) : "";
  for (size_t row = 0; row < matrix.rows; ++row) {
    if (keys && text.empty()) {
      return WrongRowCount(options, matrix.rows, "its file of keys", row);
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
    return WrongRowCount(options, matrix.rows, "its file of keys",
                         matrix.rows + more);
  }
  return std::move(vectors).Finish(options);
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
    return absl::InvalidArgumentError(
        absl::StrCat("--embedding_keys is for .npy files; ",
                     options.path.string(), " holds keys itself"));
  }
  return extension == ".bin" ? ReadBinary(options, snapshot)
                             : ReadText(options, snapshot);
}

}  // namespace slice
