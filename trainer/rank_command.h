// `slice-trainer rank`: filtered ranking of all targets of a relation.
#ifndef SLICE_TRAINER_RANK_COMMAND_H_
#define SLICE_TRAINER_RANK_COMMAND_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace slice {

struct RankOptions {
  std::filesystem::path bundle;
  std::filesystem::path links;               // held-out links to rank, or
  std::filesystem::path sources;             // keys, one per line, with
  std::string relation, target;              // the target they should get
  std::vector<std::filesystem::path> known;  // more true links to filter out
  size_t rerank = 200;  // candidates that are given a context
  // Questions (a source with all its links) that are asked, drawn with `seed`;
  // 0: all.
  size_t sample = 0;
  uint64_t seed = 1;
  bool baselines = true;
  int threads = 0;
  bool json = false;
};

// Ranks as the bundle does (model/candidate_ranker.h), for every (source,
// relation) of the links, each true target among all
// nodes of the types the relation leads to, other known targets left out;
// prints MRR and Hits@k of the model and of the baselines (rank_report.h).
// With `sources`, the one target for every source instead.
absl::Status RunRank(const RankOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_RANK_COMMAND_H_
