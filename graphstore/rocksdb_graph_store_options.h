// Where a graph is kept on disk, and how it is opened.
#ifndef SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_OPTIONS_H_
#define SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_OPTIONS_H_

#include <filesystem>

namespace slice {

struct RocksDbGraphStoreOptions {
  std::filesystem::path directory;
  bool create_if_missing = true;
  // Several readers may share a directory, also with one writer. A reader sees
  // the graph as it was when it opened the directory, and writes nothing.
  bool read_only = false;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_OPTIONS_H_
