#include "graphstore/edge_list_import_options.h"

#include "common/status_macros.h"

namespace slice {

absl::Status ApplyColumns(std::string_view columns,
                          std::string_view held_out_columns,
                          EdgeListImportOptions* options) {
  if (!columns.empty()) {
    SLICE_ASSIGN_OR_RETURN(options->columns, LinkColumns::Parse(columns));
  }
  if (!held_out_columns.empty()) {
    SLICE_ASSIGN_OR_RETURN(options->held_out_columns,
                           LinkColumns::Parse(held_out_columns));
  }
  return absl::OkStatus();
}

}  // namespace slice
