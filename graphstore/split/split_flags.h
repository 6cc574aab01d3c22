// The flags of a split.
#ifndef SLICE_GRAPHSTORE_SPLIT_SPLIT_FLAGS_H_
#define SLICE_GRAPHSTORE_SPLIT_SPLIT_FLAGS_H_

#include <string>

#include "common/command/flags.h"
#include "graphstore/split/split_options.h"

namespace slice {

// Adds the flags that say how links are split; their names begin with `prefix`.
// `options` must outlive the parsing.
inline void AddSplitFlags(CommandFlags& flags, const std::string& prefix,
                          SplitOptions& options) {
  flags.AddParsed("--" + prefix + "by", ParseSplitRule, options.rule,
                  {"random", "time", "newest", "nodes"},
                  "which links are held out: pairs of nodes at random, the "
                  "latest times, the last rows, or all links of some sources");
  flags.Add("--valid-share", options.valid_share,
            "share of the links (with nodes: of the sources) for valid");
  flags.Add("--test-share", options.test_share, "the same for test");
  flags
      .Add("--" + prefix + "relation", options.relation,
           "with nodes: hold out the links of this relation alone")
      .Type("NAME");
  flags.Add("--" + prefix + "seed", options.seed,
            "same seed and same links, same split");
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SPLIT_SPLIT_FLAGS_H_
