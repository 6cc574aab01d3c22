// `slice-trainer rank`: measures at which rank a bundle puts the true targets
// of links among all candidates.
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
  // Either `links` is given, a file of held-out links to rank; or `sources`, a
  // file with one source key per line. With `sources`, every source has the
  // true target `target` by `relation`.
  std::filesystem::path links;
  std::filesystem::path sources;
  std::string relation, target;
  // Files with more true links. Their targets are left out of the ranking.
  std::vector<std::filesystem::path> known;
  // How many of the best candidates of a question are scored with a context.
  size_t rerank = 200;
  // How many questions are asked, drawn with `seed`; 0: all. A question asks
  // for all true targets of one source.
  size_t sample = 0;
  uint64_t seed = 1;
  bool baselines = true;  // also rank by methods that learn nothing
  int threads = 0;
  bool json = false;
};

// Asks, for every source, to which targets the relation leads from it. The
// bundle ranks the candidates (model/candidate_ranker.h): all nodes of the
// types that the relation leads to. The rank of a true target is its rank among
// them when all other known targets are left out. Prints MRR and Hits@k of the
// model and of the baselines (trainer/report/rank_report.h), of all links and,
// when they have several relations, of each relation.
absl::Status RunRank(const RankOptions& options);

StatusRun DefineRank(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_RANK_COMMAND_H_
