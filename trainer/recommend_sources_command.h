// `slice-trainer recommend`: the best targets of many sources, without a
// server.
#ifndef SLICE_TRAINER_RECOMMEND_SOURCES_COMMAND_H_
#define SLICE_TRAINER_RECOMMEND_SOURCES_COMMAND_H_

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

struct RecommendSourcesOptions {
  std::filesystem::path bundle;
  std::filesystem::path sources;  // one node a line
  std::filesystem::path out;
  // Empty: for each source, all relations that lead from a node of its type.
  std::vector<std::string> relations;
  size_t k = 10;  // targets for each source and relation
  bool exact_keys = false;
  std::string scorer;  // empty: the bundle's own
  int threads = 0;
};

// For each source and relation, writes the k best targets that it is not linked
// to yet as rows of answer_rows.h to options.out. The ranking and the
// probabilities are those of the server (model/link_recommender.h). The file
// appears whole or not at all. A source that is unknown gets a row without a
// probability; its error goes to `messages`, and the result is then NOT_FOUND.
// FAILED_PRECONDITION for a bundle that cannot rank.
absl::Status RunRecommendSources(const RecommendSourcesOptions& options,
                                 std::ostream& messages);

StatusRun DefineRecommendSources(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_RECOMMEND_SOURCES_COMMAND_H_
