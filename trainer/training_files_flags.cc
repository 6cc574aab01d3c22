#include "trainer/training_files_flags.h"

namespace slice {

void AddTrainingFiles(CommandFlags& command, const TrainingFilesFlags& files) {
  command.Add("--train", files.train, "links to learn from")
      .Type("FILE")
      .Required();
  command.Add("--valid", files.valid, "labelled links to tune on")
      .Type("FILE")
      .Required();
  command.Add("--test", files.test, "labelled links to report on")
      .Type("FILE")
      .Required();
  command.Add("--nodes", files.nodes, "nodes: key, type, name").Type("FILE");
  command
      .Add("--columns", files.columns,
           "what the columns of the link files hold, such as "
           "source,relation,target,weight; _ to skip one")
      .Type("LIST");
  command
      .Add("--held-out-columns", files.held_out_columns,
           "columns of valid and test, when they are not those of --columns "
           "with a label behind them")
      .Type("LIST");
}

}  // namespace slice
