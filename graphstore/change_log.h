// The log of the changes that were made to a stored graph while it was served.
#ifndef SLICE_GRAPHSTORE_CHANGE_LOG_H_
#define SLICE_GRAPHSTORE_CHANGE_LOG_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_store.h"

namespace rocksdb {
class WriteBatch;
}  // namespace rocksdb

namespace slice {

class GraphDatabase;

// Changes that were accepted together. They make version v of v - 1.
struct LoggedChanges {
  uint64_t version = 0;
  GraphChanges changes = {};
  // Who sent them, and their number among what this writer sent; empty and 0
  // for a sender that does not count.
  std::string writer = {};
  uint64_t sequence = 0;
  // Tells the request from others that the writer could send under the number.
  uint64_t request_hash = 0;
};

// What became of an update that a writer sent before.
struct LoggedUpdate {
  uint64_t version = 0;
  uint64_t request_hash = 0;
};

// Takes the place of all records up to a version.
struct ChangeSummary {
  uint64_t version = 0;
  std::string state_digest;  // of that version
  // The changes from the base to that version, in this order.
  std::vector<GraphChanges> changes;
};

// Keeps one record for each version after that of the base graph, in the family
// `delta`. Each version has a state digest:
//   H(v) = SHA-256(H(v - 1), changes),  H(base) = the digest of the graph.
// Two stores of the same version must have the same digest. If they differ, one
// of them is wrong. A summary may stand for the first records.
// Thread-compatible.
class ChangeLog {
 public:
  // Reads the last version and the last number of each writer. `database` must
  // outlive the log. DATA_LOSS when a record is malformed or missing.
  static absl::StatusOr<ChangeLog> Open(GraphDatabase* database,
                                        const GraphMetadata& base);

  uint64_t base_version() const { return base_.graph_version; }
  // The version of the summary, or of the base without one: the log does not
  // know the versions before it.
  uint64_t first_version() const { return first_version_; }
  uint64_t last_version() const { return last_version_; }
  const std::string& state_digest() const { return state_digest_; }  // of that
  // The last number of a writer; 0 for an unknown one.
  uint64_t LastSequence(const std::string& writer) const;
  using Sequences = std::map<std::string, uint64_t, std::less<>>;  // by writer
  const Sequences& last_sequences() const { return sequences_; }

  // The change feed whose entries the versions are; empty: they have no feed.
  const std::string& feed() const { return feed_; }
  // From now on the versions are the entries of this feed. Does nothing when
  // they are already. FAILED_PRECONDITION when there are versions of another
  // feed, or of none; the errors of FromRocksDb.
  absl::Status FollowFeed(const std::string& feed);

  // Appends all records or none; when it returns OK they are on disk. The
  // errors of FromRocksDb. REQUIRES: the versions follow last_version().
  absl::Status Append(std::span<const LoggedChanges> records);

  // Puts a summary in the place of all records up to its version, all at once.
  // Of each writer the last number up to there stays known. REQUIRES: the
  // version is one of the log, and the digest the one of that version; or the
  // log is empty.
  absl::Status Summarize(const ChangeSummary& summary);

  // Calls visit(version, changes) for the summary and for each record, in
  // order, until it fails; several calls for one version are for its summary.
  // DATA_LOSS when a record is malformed or missing, or its digest does not
  // follow from the record before.
  using Visit =
      std::function<absl::Status(uint64_t version, GraphChanges changes)>;
  absl::Status Replay(const Visit& visit) const;

  // The graph of the last version, or of `version`, given that of the base.
  // OUT_OF_RANGE for a version that the log does not know, naming those that it
  // knows; the errors of Replay. Adds to `*logged` how many changes it read
  // that no summary holds.
  absl::StatusOr<std::shared_ptr<const GraphSnapshot>> GraphAt(
      std::shared_ptr<const GraphSnapshot> base,
      std::optional<uint64_t> version = std::nullopt,
      size_t* logged = nullptr) const;

  // The state digest of a version; OUT_OF_RANGE as GraphAt.
  absl::StatusOr<std::string> DigestAt(uint64_t version) const;

  // What became of an update; nothing when the log no longer knows.
  absl::StatusOr<std::optional<LoggedUpdate>> Find(const std::string& writer,
                                                   uint64_t sequence) const;

  // Makes the store writable again after an error of the disk, if it can.
  absl::Status Recover();

 private:
  ChangeLog(GraphDatabase* database, const GraphMetadata& base);
  absl::Status Load();
  absl::Status LoadSummary();
  absl::Status LoadLastRecord();
  // Calls visit(writer, sequence, update), by writer and sequence.
  using VisitUpdate = std::function<void(
      const std::string& writer, uint64_t sequence, const LoggedUpdate&)>;
  absl::Status ForEachUpdate(const VisitUpdate& visit) const;
  // Writes to disk, as a store of format version 3.
  absl::Status Write(rocksdb::WriteBatch& batch);
  absl::Status CheckKnown(uint64_t version) const;
  absl::StatusOr<std::optional<ChangeSummary>> ReadSummary() const;

  GraphDatabase* database_;
  GraphMetadata base_;
  uint64_t first_version_;
  uint64_t last_version_;
  std::string state_digest_;
  std::string feed_;
  Sequences sequences_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_CHANGE_LOG_H_
