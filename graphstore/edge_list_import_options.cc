#include "graphstore/edge_list_import_options.h"

#include "common/status_macros.h"

namespace slice {

absl::Status ApplyLinkFileTexts(const LinkFileTexts& texts,
                                EdgeListImportOptions* options) {
  if (!texts.columns.empty()) {
    SLICE_ASSIGN_OR_RETURN(options->columns, LinkColumns::Parse(texts.columns));
  }
  if (!texts.held_out_columns.empty()) {
    SLICE_ASSIGN_OR_RETURN(options->held_out_columns,
                           LinkColumns::Parse(texts.held_out_columns));
  }
  SLICE_ASSIGN_OR_RETURN(options->format, ParseTableFormat(texts.format));
  return absl::OkStatus();
}

}  // namespace slice
