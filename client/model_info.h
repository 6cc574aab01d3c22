// What a server says about its model, as plain structs.
#ifndef SLICE_CLIENT_MODEL_INFO_H_
#define SLICE_CLIENT_MODEL_INFO_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "client/explanation_types.h"

namespace slice {

// The bundle and the state of the graph that an answer came from.
struct AnswerSource {
  std::string bundle_id;
  uint64_t graph_version = 0;
};

// The measured time of one run of the network, in one way (`forward_path`),
// over a batch with `contexts` contexts.
struct ForwardTimingInfo {
  std::string forward_path;
  int64_t contexts = 0;
  double seconds = 0;
};

// log-odds = logit / temperature + offset.
struct CalibrationInfo {
  double temperature = 1;
  double offset = 0;
  double decision_threshold = 0.5;
  double base_rate = 0.5;
  uint64_t rows = 0;  // of valid
};

struct RelationCalibrationInfo {
  std::string relation;
  CalibrationInfo plausible, among_kind;
  // What is added to the log-odds of a self pair and of a pair off schema.
  double self_log_odds = 0, off_schema_log_odds = 0;
};

struct ModelInfo {
  std::string model;
  std::string preset;
  std::string created;
  std::string server_version;
  std::string device;
  std::string forward_path;
  // What the server measured to choose `forward_path`; empty: it had no choice.
  std::vector<ForwardTimingInfo> forward_timings;
  std::string instruction_set;
  int contract_version = 0;
  uint64_t node_count = 0;
  uint64_t link_count = 0;
  std::vector<std::string> relations;
  std::vector<std::string> node_types;
  int embedding_dim = 0;
  int layers = 0;
  int heads = 0;
  int hidden_dim = 0;
  std::string context_strategy;
  int max_context_nodes = 0;
  std::string own_pair_links;
  bool leaky = false;         // trained on held-out links
  std::string scorer;         // the default scorer
  std::string scorer_reason;  // why; empty: not known
  // Of all relations together.
  double decision_threshold = 0;
  double temperature = 0;
  double among_kind_threshold = 0;
  double among_kind_temperature = 0;
  double base_rate = 0;
  // How much higher the log-odds of a pair off schema must be for a link.
  double off_schema_margin = 0;
  std::vector<RelationCalibrationInfo> relation_calibrations;
  std::map<std::string, double> metrics;
  std::string graph_digest;
  uint64_t base_graph_version = 0;  // of the graph, that the model knows
  // Every pair feature, in the order of LinkExplanation::pair_features.
  std::vector<PairFeatureText> pair_features;
  uint64_t seed = 0;
  AnswerSource from;
};

}  // namespace slice

#endif  // SLICE_CLIENT_MODEL_INFO_H_
