// Links that speak against the columns which were assumed for them.
#ifndef SLICE_GRAPHSTORE_ASSUMED_COLUMNS_H_
#define SLICE_GRAPHSTORE_ASSUMED_COLUMNS_H_

#include <span>
#include <string>

#include "absl/status/status.h"
#include "graphstore/types.h"

namespace slice {

// For the links of a file that were read as relation, source and target because
// nothing said otherwise. INVALID_ARGUMENT where there are far more relations
// than sources or targets: then the ends were taken for relations. The message
// names the columns that are likelier. DoubtFirstColumn
// (common/table/first_column.h) asks the first rows alone, in which sorted
// files have few sources. A few links are never refused. `name` is that of the
// file.
absl::Status CheckAssumedColumns(const std::string& name,
                                 std::span<const Link> links);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ASSUMED_COLUMNS_H_
