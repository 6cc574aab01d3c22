// `slice-trainer score`: answers for the links of a file, without a server.
#ifndef SLICE_TRAINER_SCORE_COMMAND_H_
#define SLICE_TRAINER_SCORE_COMMAND_H_

#include <filesystem>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "common/asked_link_file.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

struct ScoreOptions {
  std::filesystem::path bundle;
  AskedLinkFile links;  // rows `relation source target [label]`
  std::filesystem::path out;
  bool exact_keys = false;  // the file names nodes by key alone
  std::string scorer;       // empty: the bundle's own
  double prior = 0;         // as OutputReading::prior
  bool flags = false;       // rows end with a column of flags
  int threads = 0;
};

// Writes a row of answer_rows.h for each link of options.links, in their order,
// to options.out. The file appears whole or not at all. A link that names an
// unknown node or relation gets a row without a probability; its error goes to
// `messages`, and the result is then NOT_FOUND. INVALID_ARGUMENT, and no file,
// for a malformed row.
absl::Status RunScore(const ScoreOptions& options, std::ostream& messages);

StatusRun DefineScore(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_SCORE_COMMAND_H_
