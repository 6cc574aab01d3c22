// Writes graphs with planted structure, as files to train on. They come in any
// size, and what a model can learn from them is known by construction.
//
// Nodes are persons, items and tags (fewer types when there are few relations).
// Each node belongs to a community. Nodes with low numbers are popular: they
// have more links, as sources and as targets.
//
// The first half of the relations, at least one, are plain: such a relation
// links a source to targets in one community, which is the community of the
// source shifted by a number that belongs to the relation. The other relations
// follow rules of two or three steps, in turns. A two-step link leads where two
// plain links in a row lead, a three-step link where three of them lead. A
// share of all links is noise: the target of such a link is any node of the
// target type.
//
// Every link is a function of the seed, its relation, its source and a counter.
// So no graph is kept in memory, and the same options give the same files.
#ifndef SLICE_GRAPHSTORE_GRAPH_GENERATOR_H_
#define SLICE_GRAPHSTORE_GRAPH_GENERATOR_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

struct GeneratorOptions {
  uint64_t nodes = 10000;
  uint64_t links = 100000;  // train, valid and test together
  int relations = 4;
  uint64_t communities = 20;
  double noise = 0.1;  // share of links with a random target
  // About how many links valid and test get, each. 0 = a twentieth of the
  // links, at most 50,000.
  uint64_t held_out = 0;
  uint64_t seed = 1;
  std::filesystem::path out;  // a directory, made when it does not exist
  std::string compression;    // "gz", "zst" or empty for none

  // INVALID_ARGUMENT naming the option, its value and its range.
  absl::Status Validate() const;
};

struct GeneratorSummary {
  uint64_t train_links = 0;
  uint64_t valid_links = 0, test_links = 0;          // labelled 1
  uint64_t valid_negatives = 0, test_negatives = 0;  // labelled 0
  std::filesystem::path train, valid, test, nodes;
};

// Writes train.tsv, valid.tsv, test.tsv and nodes.tsv. All links are distinct,
// so no held-out link is in train. Every relation has a training link. Memory
// does not grow with the number of links.
//
// After each held-out link comes a row labelled 0. It has the same source and
// relation, and a target to which the source has no such link. When no such
// target is found, there is no such row.
absl::StatusOr<GeneratorSummary> GenerateGraph(const GeneratorOptions& options);

// The files that GenerateGraph writes.
std::vector<std::filesystem::path> GeneratedFiles(
    const GeneratorOptions& options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_GENERATOR_H_
