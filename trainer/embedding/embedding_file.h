// Reads global node embeddings that another program made. The rows are assigned
// to nodes by node key.
//
// A file whose name ends in .npy is a NumPy matrix. A name that ends in .bin is
// word2vec's binary format, and any other name its text format: a line `rows
// dim`, then for each row a line `key number number ...`, separated by spaces
// or tabs. A key may itself hold spaces. Files in both word2vec formats may be
// compressed (.bin.gz, .txt.zst).
#ifndef SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_
#define SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_

#include <filesystem>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/embedding/node_vectors.h"

namespace slice {

struct EmbeddingFileOptions {
  std::filesystem::path path;
  // Only for .npy: a file with one key per line, in the order of the rows. When
  // this is empty, the file with .keys in place of .npy is used if it exists.
  // Without either file, row i belongs to node i, and there must be exactly one
  // row per node. (Nodes are numbered in the order of the node file, then by
  // first appearance: docs/storage.md.)
  std::filesystem::path keys;
  int dim = 0;  // how many numbers each row must have; 0: any
  // True: a node without a row gets the mean of the rows of its type, or of all
  // rows when its type has none. False: such a node is an error.
  bool fill_missing = false;
};

// The file that holds the keys of the rows. Empty when the embedding file
// itself holds them, or when row i belongs to node i.
std::filesystem::path EmbeddingKeysFile(const EmbeddingFileOptions& options);

// INVALID_ARGUMENT or DATA_LOSS for a row of another length, a number that is
// not finite, a repeated key, fewer or more rows than announced, nodes without
// a row, or no row of any node; the message names the file, the line or row,
// and what to do. Returns the errors of TextInput::Open when a file cannot be
// read.
absl::StatusOr<FileEmbeddings> ReadEmbeddingFile(
    const EmbeddingFileOptions& options, const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_
