// Global node embeddings that were made elsewhere, by node key.
//
// A name that ends in .npy holds a NumPy matrix, one that ends in .bin the
// binary format of word2vec, any other its text format: a line `rows dim`, then
// a line `key number number ...` per row, separated by spaces or tabs; a key
// may itself hold spaces. Both word2vec formats may be compressed (.bin.gz,
// .txt.zst).
#ifndef SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_
#define SLICE_TRAINER_EMBEDDING_EMBEDDING_FILE_H_

#include <filesystem>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/embedding/node_vectors.h"

namespace slice {

struct EmbeddingFileOptions {
  std::filesystem::path path;
  // For .npy: one key per line, in the order of the rows. Empty: the file with
  // .keys in place of .npy, if there is one; else row i is node i (node file
  // first, then first appearance: docs/storage.md), and there must be exactly
  // one row per node.
  std::filesystem::path keys;
  int dim = 0;  // numbers per row that the file must have; 0: any
  // True: a node without a row gets the mean of the rows of its type, or of all
  // rows when its type has none. False: such a node is an error.
  bool fill_missing = false;
};

// The file that holds the keys of the rows; empty when the embedding file
// itself holds them, or when its rows are in the order of the nodes.
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
