// Nodes, and why a link has its score, as plain structs.
#ifndef SLICE_CLIENT_EXPLANATION_TYPES_H_
#define SLICE_CLIENT_EXPLANATION_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slice {

struct NodeInfo {
  std::string key;
  std::string name;
  std::string type;

  // The name, or the key of a node without one.
  const std::string& Label() const { return name.empty() ? key : name; }
};

enum class ArcDirection { kBoth, kOut, kIn };

// The parts of an explanation. Positions are indices into
// LinkExplanation::tokens, checked when the reply is read.
enum class ExplainedKind { kNode, kPath, kRelation };
enum class ExplainedRole { kNone, kSource, kTarget, kBetween };

// A step of a path: along the relation's direction (kOut) or against it (kIn)
// to a node.
struct ExplainedPathStep {
  std::string relation;
  ArcDirection direction = ArcDirection::kOut;
  NodeInfo node;
};

struct ExplainedToken {
  ExplainedKind kind = ExplainedKind::kNode;
  ExplainedRole role = ExplainedRole::kNone;
  NodeInfo node;
  // The attention that the source and the target pay to this token, in [0, 1].
  float attention_from_source = 0;
  float attention_from_target = 0;
  // Of a kPath token, which stands for all paths of one type: the heaviest of
  // them, from the source to the target, and their number.
  std::vector<ExplainedPathStep> path;
  uint64_t path_count = 0;
  // The link's logit minus its logit without this token; 0 for the two ends.
  float logit_effect = 0;
};

struct ExplainedEdge {
  size_t source = 0;
  size_t target = 0;
  std::string relation;
};

struct ExplainedStep {
  size_t token = 0;
  NodeInfo node;
  // How the token was reached: along the relation's direction (kOut) or
  // against it (kIn). Empty for the first step.
  std::string relation;
  ArcDirection direction = ArcDirection::kOut;
};

struct AttentionWeights {
  size_t layers = 0;
  size_t heads = 0;
  size_t tokens = 0;
  std::vector<float> weights;  // [layers, heads, tokens, tokens] float32
};

struct ScaledFeature {
  std::string name;
  float value = 0;         // scaled; 0 is the mean over training
  float contribution = 0;  // to the structural logit, relative to value 0
};

struct LinkExplanation {
  std::vector<ExplainedToken> tokens;
  std::vector<ExplainedEdge> edges;
  std::vector<ExplainedStep> metapath;
  uint64_t metapath_count = 0;  // paths over its relations; 0: not counted
  AttentionWeights attention;
  std::vector<ScaledFeature> pair_features;
  int distance = -1;  // -1: no path within max_hops
  int max_hops = 0;
  bool truncated = false;
  std::string summary;
};

}  // namespace slice

#endif  // SLICE_CLIENT_EXPLANATION_TYPES_H_
