// The flags that say how link files are written.
#ifndef SLICE_GRAPHSTORE_LINK_FILE_FLAGS_H_
#define SLICE_GRAPHSTORE_LINK_FILE_FLAGS_H_

#include "common/command/flags.h"
#include "graphstore/edge_list_import_options.h"

namespace slice {

// Adds --columns and --format, which ApplyLinkFileTexts reads. `texts` must
// outlive the parsing.
inline void AddLinkFileFlags(CommandFlags& flags, LinkFileTexts& texts) {
  flags
      .Add("--columns", texts.columns,
           "what the columns of the link files hold, such as "
           "source,relation,target,weight; _ to skip one. When left out, they "
           "are recognised")
      .Type("LIST");
  flags
      .Add("--format", texts.format,
           "how the link files are written, where that is not recognised: "
           "tab, blanks, comma or semicolon; quotes or no-quotes; header or "
           "no-header; such as comma,header")
      .Type("LIST");
}

// The same for commands that also take held-out files.
inline void AddHeldOutColumns(CommandFlags& flags, LinkFileTexts& texts) {
  flags
      .Add("--held-out-columns", texts.held_out_columns,
           "columns of the held-out files, when they are not those of "
           "--columns with a label behind them")
      .Type("LIST");
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_FILE_FLAGS_H_
