// Records of the family `delta`, with numbers in big-endian order:
//   "c" version(8)                    -> digest(64) sequence(8)
//                                        length of the writer(8) writer changes
//   "w" writer "\0" sequence(8)       -> version(8)
// A writer has no byte 0. A store with a record has format version 3, so that a
// program that does not know the log does not serve an old graph.
#include "graphstore/change_log.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_records.h"
#include "graphstore/rocksdb_status.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"

namespace slice {
namespace {

constexpr size_t kDigestBytes = 64;
constexpr size_t kProbeBytes = 8 << 20;
constexpr char kChangesPrefix = 'c', kWriterPrefix = 'w';

void AppendNumber(uint64_t number, std::string* bytes) {
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes->push_back(static_cast<char>(number >> shift));
}

// Takes a number off the front of `bytes`; nothing when they are too short.
std::optional<uint64_t> TakeNumber(std::string_view* bytes) {
  if (bytes->size() < 8) return std::nullopt;
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i)
    number = number << 8 | static_cast<unsigned char>((*bytes)[i]);
  bytes->remove_prefix(8);
  return number;
}

std::string ChangesKey(uint64_t version) {
  std::string key(1, kChangesPrefix);
  AppendNumber(version, &key);
  return key;
}

std::string WriterKey(const std::string& writer, uint64_t sequence) {
  std::string key(1, kWriterPrefix);
  absl::StrAppend(&key, writer);
  key.push_back('\0');
  AppendNumber(sequence, &key);
  return key;
}

struct StoredChanges {
  std::string digest;
  LoggedChanges changes;
};

std::string Encode(const StoredChanges& stored) {
  std::string bytes = stored.digest;
  AppendNumber(stored.changes.sequence, &bytes);
  AppendNumber(stored.changes.writer.size(), &bytes);
  absl::StrAppend(&bytes, stored.changes.writer, stored.changes.changes);
  return bytes;
}

std::optional<StoredChanges> Decode(uint64_t version, std::string_view bytes) {
  StoredChanges stored;
  stored.changes.version = version;
  if (bytes.size() < kDigestBytes) return std::nullopt;
  stored.digest = std::string(bytes.substr(0, kDigestBytes));
  bytes.remove_prefix(kDigestBytes);
  const auto sequence = TakeNumber(&bytes);
  const auto length = TakeNumber(&bytes);
  if (!sequence || !length || bytes.size() < *length) return std::nullopt;
  stored.changes.sequence = *sequence;
  stored.changes.writer = std::string(bytes.substr(0, *length));
  stored.changes.changes = std::string(bytes.substr(*length));
  return stored;
}

std::string NextDigest(const std::string& digest, std::string_view changes) {
  Sha256Digest next;
  next.Update(digest);
  next.Update(changes);
  return next.Finish();
}

absl::Status Malformed(const GraphDatabase& database, std::string_view what) {
  return absl::DataLossError(absl::StrCat(
      database.directory().string(), ": the log of changes is damaged: ",
      std::string(what), "; restore the directory from a backup"));
}

}  // namespace

ChangeLog::ChangeLog(GraphDatabase* database, const GraphMetadata& base)
    : database_(database),
      base_(base),
      last_version_(base.graph_version),
      state_digest_(base.graph_digest) {}

absl::StatusOr<ChangeLog> ChangeLog::Open(GraphDatabase* database,
                                          const GraphMetadata& base) {
  ChangeLog log(database, base);
  SLICE_RETURN_IF_ERROR(log.Load());
  return log;
}

absl::Status ChangeLog::Load() {
  absl::Status malformed;
  SLICE_RETURN_IF_ERROR(database_->Scan(
      GraphFamily::kDelta, [&](std::string_view key, std::string_view value) {
        if (key.empty() || key.front() != kChangesPrefix) return true;
        key.remove_prefix(1);
        const auto version = TakeNumber(&key);
        const auto stored = Decode(version.value_or(0), value);
        if (!version || !stored || *version != last_version_ + 1) {
          malformed = Malformed(
              *database_, absl::StrCat("there is no whole record of version ",
                                       last_version_ + 1));
          return false;
        }
        last_version_ = *version;
        state_digest_ = stored->digest;
        if (!stored->changes.writer.empty())
          sequences_[stored->changes.writer] = stored->changes.sequence;
        return true;
      }));
  return malformed;
}

uint64_t ChangeLog::LastSequence(const std::string& writer) const {
  const auto found = sequences_.find(writer);
  return found == sequences_.end() ? 0 : found->second;
}

absl::Status ChangeLog::Append(std::span<const LoggedChanges> records) {
  if (records.empty()) return absl::OkStatus();
  rocksdb::WriteBatch batch;
  rocksdb::ColumnFamilyHandle* const delta =
      database_->handle(GraphFamily::kDelta);
  std::string digest = state_digest_;
  for (const LoggedChanges& record : records) {
    digest = NextDigest(digest, record.changes);
    batch.Put(delta, ChangesKey(record.version), Encode({digest, record}));
    if (record.writer.empty()) continue;
    std::string version;
    AppendNumber(record.version, &version);
    batch.Put(delta, WriterKey(record.writer, record.sequence), version);
  }
  if (base_.format_version < kLiveGraphFormatVersion) {
    GraphMetadata live = base_;
    live.format_version = kLiveGraphFormatVersion;
    batch.Put(database_->handle(GraphFamily::kMeta),
              rocksdb::Slice(kGraphRecord.data(), kGraphRecord.size()),
              EncodeMetadata(live));
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  SLICE_RETURN_IF_ERROR(FromRocksDb(
      database_->db()->Write(options, &batch),
      absl::StrCat("write changes to ", database_->directory().string())));
  base_.format_version = kLiveGraphFormatVersion;
  last_version_ = records.back().version;
  state_digest_ = std::move(digest);
  for (const LoggedChanges& record : records) {
    if (!record.writer.empty()) sequences_[record.writer] = record.sequence;
  }
  return absl::OkStatus();
}

absl::Status ChangeLog::Replay(uint64_t version, const Visit& visit) const {
  std::string digest = base_.graph_digest;
  uint64_t expected = base_.graph_version;
  absl::Status status;
  SLICE_RETURN_IF_ERROR(database_->Scan(
      GraphFamily::kDelta, [&](std::string_view key, std::string_view value) {
        if (key.empty() || key.front() != kChangesPrefix) return true;
        key.remove_prefix(1);
        const uint64_t at = TakeNumber(&key).value_or(0);
        const auto stored = Decode(at, value);
        if (!stored || at != ++expected) {
          status = Malformed(*database_,
                             absl::StrCat("version ", expected, " is missing"));
          return false;
        }
        digest = NextDigest(digest, stored->changes.changes);
        if (digest != stored->digest) {
          status = Malformed(*database_,
                             absl::StrCat("the digest of version ", at,
                                          " does not follow from its changes"));
        } else if (at > version) {
          status = visit(stored->changes);
        }
        return status.ok();
      }));
  return status;
}

absl::StatusOr<std::optional<LoggedChanges>> ChangeLog::Find(
    const std::string& writer, uint64_t sequence) const {
  SLICE_ASSIGN_OR_RETURN(
      const auto found,
      database_->Get(GraphFamily::kDelta, WriterKey(writer, sequence)));
  if (!found.has_value()) return std::optional<LoggedChanges>();
  std::string_view bytes = *found;
  const uint64_t version = TakeNumber(&bytes).value_or(0);
  SLICE_ASSIGN_OR_RETURN(const auto value, database_->Get(GraphFamily::kDelta,
                                                          ChangesKey(version)));
  auto stored = value ? Decode(version, *value) : std::nullopt;
  if (!stored) {
    return Malformed(*database_,
                     absl::StrCat("version ", version, " is missing"));
  }
  return std::optional<LoggedChanges>(std::move(stored->changes));
}

absl::Status ChangeLog::Recover() {
  // RocksDB asserts (in Debian's build) that no write fails after one that
  // failed. So it writes again only once the disk takes as much as a log may
  // need.
  const std::filesystem::path probe = database_->directory() / "probe.log";
  const absl::Status written =
      WriteFileAtomically(probe, std::string(kProbeBytes, '\0'));
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  SLICE_RETURN_IF_ERROR(written);
  return FromRocksDb(database_->db()->Resume(),
                     absl::StrCat("resume ", database_->directory().string()));
}

}  // namespace slice
