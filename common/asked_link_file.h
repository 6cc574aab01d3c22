// The file of links that a command answers for, and the flags that say how it
// is written.
#ifndef SLICE_COMMON_ASKED_LINK_FILE_H_
#define SLICE_COMMON_ASKED_LINK_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "common/command/flags.h"
#include "common/status_macros.h"
#include "common/table/link_shape.h"
#include "common/table/table_dialect.h"

namespace slice {

struct AskedLinkFile {
  std::string path;
  std::string columns, format;  // as given; empty: recognised

  // What RecogniseLinks takes. INVALID_ARGUMENT for unknown words.
  absl::StatusOr<LinkShapeOptions> ShapeOptions() const {
    LinkShapeOptions options;
    options.may_have_label = true;
    if (!columns.empty()) {
      SLICE_ASSIGN_OR_RETURN(options.columns, LinkColumns::Parse(columns));
    }
    SLICE_ASSIGN_OR_RETURN(options.format, ParseTableFormat(format));
    return options;
  }
};

// Adds --columns and --format. `file` must outlive the parsing.
inline void AddAskedLinkFileFormat(CommandFlags& flags, AskedLinkFile& file) {
  flags
      .Add("--columns", file.columns,
           "what the columns of that file hold, such as "
           "source,relation,target; _ to skip one. When left out, they are "
           "recognised")
      .Type("LIST");
  flags
      .Add("--format", file.format,
           "how that file is written, where this is not recognised: tab, "
           "blanks, comma or semicolon; quotes or no-quotes; header or "
           "no-header")
      .Type("LIST");
}

}  // namespace slice

#endif  // SLICE_COMMON_ASKED_LINK_FILE_H_
