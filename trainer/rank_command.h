// `slice-trainer rank`: filtered ranks of the true targets of a relation among
// all candidates.
#ifndef SLICE_TRAINER_RANK_COMMAND_H_
#define SLICE_TRAINER_RANK_COMMAND_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

struct RankOptions {
  std::filesystem::path bundle;
  // Either a file of held-out links to rank, or a file of source keys, one a
  // line, that should all get `target` by `relation`.
  std::filesystem::path links;
  std::filesystem::path sources;
  std::string relation, target;
  std::vector<std::filesystem::path> known;  // more true links to filter out
  size_t rerank = 200;  // candidates that are scored with a context
  // How many questions are asked, drawn with `seed`; 0: all. A question is a
  // source with all its links.
  size_t sample = 0;
  uint64_t seed = 1;
  bool baselines = true;
  int threads = 0;
  bool json = false;
};

// Asks for the targets of every source of the links (with `sources`, for the
// one target) and ranks each true target as the bundle does
// (model/candidate_ranker.h), among all nodes of the types that the relation
// leads to, without the other known targets. Prints MRR and Hits@k of the model
// and of the baselines (trainer/report/rank_report.h).
absl::Status RunRank(const RankOptions& options);

StatusRun DefineRank(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_RANK_COMMAND_H_
