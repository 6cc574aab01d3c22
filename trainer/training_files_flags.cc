#include "trainer/training_files_flags.h"

#include "graphstore/link_file_flags.h"
#include "graphstore/split/split_flags.h"

namespace slice {

void AddTrainingFiles(CommandFlags& command, const TrainingFilesFlags& files) {
  const Flag three[] = {
      command.Add("--train", files.train, "links to learn from").Type("FILE"),
      command.Add("--valid", files.valid, "labelled links to tune on")
          .Type("FILE"),
      command.Add("--test", files.test, "labelled links to report on")
          .Type("FILE")};
  if (files.split == nullptr) {
    for (const Flag& flag : three) flag.Required();
  } else {
    command
        .Add("--links", files.split->links,
             "one file of links in place of these three: it is split, and "
             "non-links are drawn")
        .Type("FILE");
    if (files.from_store != nullptr) {
      command
          .Add("--from-store", *files.from_store,
               "in place of all of them: the graph of this store, or of the "
               "server that has this data directory, with its changes so far")
          .Type("DIR");
      command
          .Add("--graph-version", *files.graph_version,
               "the graph of --from-store at this version")
          .Type("N");
    }
    AddSplitFlags(command, "split-", *files.split);
  }
  command.Add("--nodes", files.nodes, "nodes: key, type, name").Type("FILE");
  AddLinkFileFlags(command, files.link_files);
  AddHeldOutColumns(command, files.link_files);
}

}  // namespace slice
