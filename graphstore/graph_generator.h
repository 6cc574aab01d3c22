// Graphs with planted structure, as files to train on: how well a model can do
// on them is known by construction, and they come in any size.
//
// Nodes are persons, items and tags (fewer types when there are few
// relations), each in one of the communities; the low numbers are popular, and
// link and are linked more. The first half of the relations (one of them at
// least) are plain: a relation links a node of its source type to nodes of its
// target type in one community, the source's shifted by a number of the
// relation's own, popular ones first. The others follow rules, in turns: a
// two-step link goes where two plain relations in a row lead, a three-step link
// where three do. A share of all links is noise: any node of the target type.
//
// Every link is a function of the seed, its relation, its source and a counter,
// so that nothing is kept in memory and the same options give the same files.
#ifndef SLICE_GRAPHSTORE_GRAPH_GENERATOR_H_
#define SLICE_GRAPHSTORE_GRAPH_GENERATOR_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

struct GeneratorOptions {
  uint64_t nodes = 10000;
  uint64_t links = 100000;  // train, valid and test together
  int relations = 4;
  uint64_t communities = 20;
  double noise = 0.1;  // share of links that follow nothing
  // Links of valid and of test each, about; 0: a twentieth of the links, at
  // most 50,000.
  uint64_t held_out = 0;
  uint64_t seed = 1;
  std::filesystem::path out;  // a directory; made when it is not there
  std::string compression;    // "gz", "zst" or none

  // INVALID_ARGUMENT naming the option, its value and what it may be.
  absl::Status Validate() const;
};

struct GeneratorSummary {
  uint64_t train_links = 0;
  uint64_t valid_links = 0, test_links = 0;          // labelled 1
  uint64_t valid_negatives = 0, test_negatives = 0;  // labelled 0
  std::filesystem::path train, valid, test, nodes;
};

// Writes train.tsv, valid.tsv, test.tsv and nodes.tsv. All links are distinct,
// so no held-out link is in train; every relation has a train link. A held-out
// link comes with a row labelled 0: the same source and relation, another node
// of the target type that is no link. Memory does not grow with the links.
absl::StatusOr<GeneratorSummary> GenerateGraph(const GeneratorOptions& options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_GENERATOR_H_
