// Plain structs for a node, and for the explanation of a link's score.
#ifndef SLICE_CLIENT_EXPLANATION_TYPES_H_
#define SLICE_CLIENT_EXPLANATION_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
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

// What a token of an explanation stands for, and its role in the link.
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
  // Only for a kPath token, which stands for all paths of one type: `path` is
  // the heaviest of these paths, from the source to the target, and
  // `path_count` is the number of these paths.
  std::vector<ExplainedPathStep> path;
  uint64_t path_count = 0;
  // The link's logit minus its logit without this token; 0 for the two ends.
  float logit_effect = 0;
};

// A link of a context. `source` and `target` are indices into the tokens of the
// same context; like every index below, they are checked when the reply is
// read.
struct ExplainedEdge {
  size_t source = 0;
  size_t target = 0;
  std::string relation;
};

// A step of a metapath, which reaches `node`. `token` is the index of the
// node's token in LinkExplanation::tokens, or of the path token that contains
// the node.
struct ExplainedStep {
  size_t token = 0;
  NodeInfo node;
  // The step reaches the node along the direction of `relation` (kOut) or
  // against it (kIn). The first step is the source; its relation is empty.
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

// Says what a pair feature is.
struct PairFeatureText {
  std::string name;
  std::string group;        // such as "slots"
  std::string description;  // one sentence
};

// One thing that a score may rest on.
struct ExplainedEvidence {
  std::string kind;   // as in the wire contract, such as "PATHS"
  std::string group;  // of pair features; may be empty
  // The index of a path token or of a node between the ends; none of other
  // evidence.
  std::optional<size_t> token;
  uint64_t path_count = 0;
  float logit_effect = 0;  // the logit minus the logit without it
  float probability_without = 0;
  bool named = false;  // LinkExplanation::summary names it
  std::string description;
};

// One of several contexts of a link, and the link's score from it alone.
struct ExplainedContext {
  std::vector<ExplainedToken> tokens;  // without effects
  std::vector<ExplainedEdge> edges;
  AttentionWeights attention;
  float logit = 0;
  float probability = 0;
};

struct LinkExplanation {
  std::vector<ExplainedToken> tokens;
  std::vector<ExplainedEdge> edges;
  std::vector<ExplainedStep> metapath;
  // How many paths travel the relations of `metapath`; 0: not counted.
  uint64_t metapath_count = 0;
  AttentionWeights attention;
  // [attention.layers + 1, tokens, 2]: the cosines of each token with the
  // source and with the target, before the layers and after each; may be empty.
  std::vector<float> token_cosines;
  std::vector<ScaledFeature> pair_features;
  int distance = -1;       // hops between the ends; -1: more than max_hops
  int max_hops = 0;        // the longest path that was searched for
  bool truncated = false;  // only a sample of a hub's links was searched
  std::string searched;    // what was searched, when truncated is set
  std::string summary;
  std::vector<ExplainedEvidence> evidence;  // the greatest effect first
  // The probability without all named evidence, and with that alone.
  float probability_without_named = 0;
  float probability_only_named = 0;
  // In the order in which they were drawn, when the link has several. The
  // link's logit is the "mean" or the "max" of theirs, as `context_pooling`
  // says.
  std::vector<ExplainedContext> contexts;
  std::string context_pooling;
};

}  // namespace slice

#endif  // SLICE_CLIENT_EXPLANATION_TYPES_H_
