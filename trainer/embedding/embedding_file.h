// Global node embeddings that were made elsewhere, by node key.
//
// A name that ends in .npy holds a NumPy matrix, one that ends in .bin the
// binary format of word2vec, any other its text format: a line `rows dim`, then
// a line `key number number ...` per row, separated by spaces or tabs; a key
// may itself hold spaces. Both word2vec formats may be compressed (.bin.gz,
// .txt.zst).
#ifndef SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_
#define SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_

#include <cstddef>
#include <filesystem>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

struct EmbeddingFileOptions {
  std::filesystem::path path;
  // For .npy: one key per line, in the order of the rows. Empty: the file with
  // .keys in place of .npy, if there is one; else row i is node i (node file
  // first, then first appearance: docs/storage.md), and there must be exactly
  // one row per node.
  std::filesystem::path keys;
  int dim = 0;  // what the file must hold; 0: whatever it holds
  // A node without a row gets the mean of the nodes of its type that have one
  // (of all of them when there is none); otherwise it is an error.
  bool fill_missing = false;
};

struct FileEmbeddings {
  int dim = 0;
  std::vector<float> values;  // [nodes, dim] float32, row-major
  size_t missing_nodes = 0;   // filled, as asked
  size_t unknown_rows = 0;    // whose key is no node's; left out
};

// Where the keys of the rows stand when the file itself does not hold them;
// empty when it does, or when rows are in the order of the nodes.
std::filesystem::path EmbeddingKeysFile(const EmbeddingFileOptions& options);

// INVALID_ARGUMENT or DATA_LOSS, naming the file, the line or row and the way
// out: a row of another length, a number that is not finite, a key that comes
// twice, fewer or more rows than announced, nodes without a row, no row of any
// node. Those of ReadFile when a file cannot be read.
absl::StatusOr<FileEmbeddings> ReadEmbeddingFile(
    const EmbeddingFileOptions& options, const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_
