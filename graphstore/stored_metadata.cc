#include "graphstore/stored_metadata.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/graph_records.h"

namespace slice {

absl::StatusOr<std::optional<GraphMetadata>> ReadMetadata(
    const GraphDatabase& database) {
  SLICE_ASSIGN_OR_RETURN(const auto value,
                         database.Get(GraphFamily::kMeta, kGraphRecord));
  if (!value.has_value()) return std::optional<GraphMetadata>();
  GraphMetadata metadata;
  if (!DecodeMetadata(*value, &metadata)) {
    return absl::DataLossError(absl::StrCat(
        database.directory().string(), ": the graph's metadata is malformed"));
  }
  if (!IsKnownGraphFormat(metadata.format_version)) {
    return absl::UnimplementedError(absl::StrCat(
        database.directory().string(), " holds a graph of format ",
        metadata.format_version, ", but this program reads formats ",
        kGraphFormatVersion, " to ", kLiveGraphFormatVersion,
        "; run a newer program, or import the graph again elsewhere"));
  }
  return std::optional<GraphMetadata>(std::move(metadata));
}

}  // namespace slice
