#include "trainer/embedding/node_vectors.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "trainer/embedding/type_means.h"

namespace slice {
namespace {

constexpr size_t kNamedNodes = 3;

}  // namespace

std::string FilePlace::Text() const {
  return absl::StrCat(path->string(), ", ", unit, " ", number);
}

absl::Status FilePlace::Error(std::string_view what) const {
  return absl::InvalidArgumentError(
      absl::StrCat(Text(), ": ", std::string(what)));
}

absl::Status NodeVectors::Add(std::string_view key, std::span<const float> row,
                              const FilePlace& place) {
  for (size_t i = 0; i < row.size(); ++i) {
    if (std::isfinite(row[i])) continue;
    return place.Error(absl::StrCat("number ", i + 1, " of '", std::string(key),
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
    return place.Error(absl::StrCat("'", std::string(key), "' already has ",
                                    place.unit, " ", rows_[*node],
                                    "; give each node one row"));
  }
  rows_[*node] = place.number;
  std::copy(row.begin(), row.end(), values_.begin() + *node * dim_);
  return absl::OkStatus();
}

absl::Status NodeVectors::DescribeMissing(const std::filesystem::path& path,
                                          size_t missing) const {
  if (missing == rows_.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path.string(), " has no row of any node: none of its ", unknown_,
        " keys is a node key such as '", snapshot_.Key(0),
        "'; use the node keys of the edge list"));
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
      "; add rows for them, or set --fill-missing-embeddings to give each of "
      "these nodes the mean vector of its type"));
}

absl::StatusOr<FileEmbeddings> NodeVectors::Finish(
    const std::filesystem::path& path, bool fill_missing) && {
  FileEmbeddings embeddings;
  embeddings.dim = static_cast<int>(dim_);
  embeddings.unknown_rows = unknown_;
  std::vector<bool> has_vector(rows_.size());
  for (size_t node = 0; node < rows_.size(); ++node) {
    has_vector[node] = rows_[node] != 0;
    embeddings.missing_nodes += rows_[node] == 0;
  }
  if (embeddings.missing_nodes > 0) {
    if (!fill_missing || embeddings.missing_nodes == rows_.size()) {
      return DescribeMissing(path, embeddings.missing_nodes);
    }
    FillWithTypeMeans(snapshot_, has_vector, dim_, values_);
  }
  embeddings.values = std::move(values_);
  return embeddings;
}

}  // namespace slice
