// The models of a server and their versions, for its administrator.
#ifndef SLICE_CLIENT_MODEL_TYPES_H_
#define SLICE_CLIENT_MODEL_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>

namespace slice {

// A version of a model: a bundle that the server has in memory.
struct ModelVersionState {
  std::string bundle_id;
  std::string directory;      // on the server's machine
  double loaded_seconds = 0;  // since 1970
  std::string preset;
  uint64_t nodes = 0, links = 0;
  uint64_t scored_links = 0, failed_links = 0;
};

// What a candidate is tried on: it answers (canary) or only scores (shadow) a
// share of the requests, chosen by identity or by the first link.
struct ModelTrial {
  bool shadow = false;
  bool by_link = false;
  double share = 0;  // in (0, 1]
};

struct ModelState {
  std::string name;
  bool is_default = false;
  ModelVersionState serving;
  std::optional<ModelVersionState> candidate;
  ModelTrial trial;                // of the candidate
  std::string previous_bundle_id;  // that a rollback loads; empty: none
  std::string previous_directory;
  uint64_t loads = 0, failed_loads = 0;
  double last_load_seconds = 0;
};

enum class ModelAction {
  kLoad,
  kPromote,
  kUnload,
  kDropCandidate,
  kSetDefault,
  kRollBack,
};

struct ModelChange {
  ModelAction action = ModelAction::kLoad;
  std::string name;
  // Of kLoad alone: an absolute path on the server's machine, and what the
  // bundle is tried on (nothing: it is served).
  std::string bundle;
  std::optional<ModelTrial> trial;
};

}  // namespace slice

#endif  // SLICE_CLIENT_MODEL_TYPES_H_
