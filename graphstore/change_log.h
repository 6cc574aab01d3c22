// The log of the changes that were made to a stored graph while it was served.
#ifndef SLICE_GRAPHSTORE_CHANGE_LOG_H_
#define SLICE_GRAPHSTORE_CHANGE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_store.h"

namespace slice {

class GraphDatabase;

// Changes that were accepted together. They make version v of v - 1.
struct LoggedChanges {
  uint64_t version = 0;
  // Who sent them, and their number among what this writer sent; empty and 0
  // for a sender that does not count.
  std::string writer;
  uint64_t sequence = 0;
  std::string changes;  // bytes whose meaning the log does not know
};

// Keeps one record for each version after that of the base graph, in the family
// `delta`. Each version has a state digest:
//   H(v) = SHA-256(H(v - 1), changes),  H(base) = the digest of the graph.
// Two stores of the same version must have the same digest. If they differ, one
// of them is wrong. Thread-compatible.
class ChangeLog {
 public:
  // Reads the last version and the last number of each writer. `database` must
  // outlive the log. DATA_LOSS when a record is malformed or missing.
  static absl::StatusOr<ChangeLog> Open(GraphDatabase* database,
                                        const GraphMetadata& base);

  uint64_t base_version() const { return base_.graph_version; }
  uint64_t last_version() const { return last_version_; }
  const std::string& state_digest() const { return state_digest_; }  // of that
  // The last number of a writer; 0 for an unknown one.
  uint64_t LastSequence(const std::string& writer) const;

  // Appends all records or none; when it returns OK they are on disk. The
  // errors of FromRocksDb. REQUIRES: the versions follow last_version().
  absl::Status Append(std::span<const LoggedChanges> records);

  // Calls visit(record) for the versions after `version`, in order, until it
  // fails. DATA_LOSS when a record is malformed or missing, or its digest does
  // not follow from the record before.
  using Visit = std::function<absl::Status(const LoggedChanges& record)>;
  absl::Status Replay(uint64_t version, const Visit& visit) const;

  // What this writer sent under this number.
  absl::StatusOr<std::optional<LoggedChanges>> Find(const std::string& writer,
                                                    uint64_t sequence) const;

  // Makes the store writable again after an error of the disk, if it can.
  absl::Status Recover();

 private:
  ChangeLog(GraphDatabase* database, const GraphMetadata& base);
  absl::Status Load();

  GraphDatabase* database_;
  GraphMetadata base_;
  uint64_t last_version_;
  std::string state_digest_;
  std::map<std::string, uint64_t, std::less<>> sequences_;  // by writer
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_CHANGE_LOG_H_
