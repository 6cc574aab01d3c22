// Records of the family `delta`. Numbers are big-endian u64, a digest has 64
// bytes, and changes are those of graphstore/change_record.cc.
//   "b"                         -> version, digest, number of changes; changes
//   "c" version                 -> digest; changes
//   "f"                         -> the feed that the changes come from
//   "w" writer "\0" sequence    -> version, hash of the request
// "b" is the summary. It stands for the records "c" up to its version, which
// are gone then. A writer has no byte 0. A store with a record has format
// version 3, so that a program that does not know the log does not serve an old
// graph.
#include "graphstore/change_log.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "graphstore/change_record.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_records.h"
#include "graphstore/merged_changes.h"
#include "graphstore/record_bytes.h"
#include "graphstore/rocksdb_status.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"

namespace slice {
namespace {

constexpr size_t kDigestBytes = 64;
constexpr size_t kProbeBytes = 8 << 20;
constexpr char kSummaryKey[] = "b", kFeedKey[] = "f";
constexpr char kChangesPrefix = 'c', kWriterPrefix = 'w';
// GraphAt applies this many changes at once. More need more memory; fewer copy
// the rows of hubs more often.
constexpr size_t kMostTogether = 1 << 18;

std::string ChangesKey(uint64_t version) {
  std::string key(1, kChangesPrefix);
  AppendBigEndian(&key, version);
  return key;
}

std::string WriterKey(const std::string& writer, uint64_t sequence) {
  std::string key(1, kWriterPrefix);
  absl::StrAppend(&key, writer);
  key.push_back('\0');
  AppendBigEndian(&key, sequence);
  return key;
}

// False when `key` is no WriterKey().
bool DecodeWriterKey(std::string_view key, std::string* writer,
                     uint64_t* sequence) {
  if (key.size() < 10 || key.front() != kWriterPrefix) return false;
  *writer = std::string(key.substr(1, key.size() - 10));
  *sequence = ReadBigEndian<uint64_t>(key.substr(key.size() - 8));
  return key[key.size() - 9] == '\0';
}

std::string EncodeUpdate(const LoggedUpdate& update) {
  std::string bytes;
  AppendBigEndian(&bytes, update.version);
  AppendBigEndian(&bytes, update.request_hash);
  return bytes;
}

bool DecodeUpdate(std::string_view bytes, LoggedUpdate* update) {
  RecordReader reader(bytes);
  return reader.ReadBigEndian(&update->version) &&
         reader.ReadBigEndian(&update->request_hash) && reader.left() == 0;
}

std::string EncodeSummary(const ChangeSummary& summary) {
  std::string bytes;
  AppendBigEndian(&bytes, summary.version);
  absl::StrAppend(&bytes, summary.state_digest);
  AppendBigEndian(&bytes, uint64_t{summary.changes.size()});
  for (const GraphChanges& changes : summary.changes)
    absl::StrAppend(&bytes, EncodeChanges(changes));
  return bytes;
}

bool DecodeSummary(std::string_view bytes, ChangeSummary* summary) {
  RecordReader reader(bytes);
  uint64_t count = 0;
  if (!reader.ReadBigEndian(&summary->version) ||
      !reader.ReadBytes(kDigestBytes, &summary->state_digest) ||
      !reader.ReadBigEndian(&count) || count > bytes.size()) {
    return false;
  }
  summary->changes.resize(count);
  for (GraphChanges& changes : summary->changes) {
    if (!ReadChanges(&reader, &changes)) return false;
  }
  return reader.left() == 0;
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

// The part of a key or value that RocksDB holds.
std::string_view View(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

}  // namespace

ChangeLog::ChangeLog(GraphDatabase* database, const GraphMetadata& base)
    : database_(database),
      base_(base),
      first_version_(base.graph_version),
      last_version_(base.graph_version),
      state_digest_(base.graph_digest) {}

absl::StatusOr<ChangeLog> ChangeLog::Open(GraphDatabase* database,
                                          const GraphMetadata& base) {
  ChangeLog log(database, base);
  SLICE_RETURN_IF_ERROR(log.Load());
  return log;
}

absl::Status ChangeLog::Load() {
  SLICE_ASSIGN_OR_RETURN(const auto feed,
                         database_->Get(GraphFamily::kDelta, kFeedKey));
  feed_ = feed.value_or("");
  SLICE_RETURN_IF_ERROR(LoadSummary());
  SLICE_RETURN_IF_ERROR(LoadLastRecord());
  return ForEachUpdate(
      [&](const std::string& writer, uint64_t sequence, const LoggedUpdate&) {
        sequences_[writer] = sequence;  // those of a writer ascend
      });
}

absl::StatusOr<std::optional<ChangeSummary>> ChangeLog::ReadSummary() const {
  SLICE_ASSIGN_OR_RETURN(const auto value,
                         database_->Get(GraphFamily::kDelta, kSummaryKey));
  if (!value.has_value()) return std::optional<ChangeSummary>();
  ChangeSummary summary;
  if (!DecodeSummary(*value, &summary)) {
    return Malformed(*database_, "its summary is not readable");
  }
  return std::optional<ChangeSummary>(std::move(summary));
}

absl::Status ChangeLog::LoadSummary() {
  SLICE_ASSIGN_OR_RETURN(const auto summary, ReadSummary());
  if (!summary.has_value()) return absl::OkStatus();
  first_version_ = last_version_ = summary->version;
  state_digest_ = summary->state_digest;
  return absl::OkStatus();
}

absl::Status ChangeLog::LoadLastRecord() {
  const std::unique_ptr<rocksdb::Iterator> last(database_->db()->NewIterator(
      rocksdb::ReadOptions(), database_->handle(GraphFamily::kDelta)));
  last->SeekForPrev(ChangesKey(UINT64_MAX));
  SLICE_RETURN_IF_ERROR(FromRocksDb(
      last->status(),
      absl::StrCat("read the log of ", database_->directory().string())));
  if (!last->Valid() || View(last->key()).front() != kChangesPrefix)
    return absl::OkStatus();
  const std::string_view key = View(last->key()), value = View(last->value());
  if (key.size() != 9 || value.size() < kDigestBytes)
    return Malformed(*database_, "its last record is not whole");
  last_version_ = ReadBigEndian<uint64_t>(key.substr(1));
  state_digest_ = std::string(value.substr(0, kDigestBytes));
  return absl::OkStatus();
}

absl::Status ChangeLog::ForEachUpdate(const VisitUpdate& visit) const {
  const std::unique_ptr<rocksdb::Iterator> records(database_->db()->NewIterator(
      rocksdb::ReadOptions(), database_->handle(GraphFamily::kDelta)));
  const std::string first(1, kWriterPrefix);
  for (records->Seek(first); records->Valid(); records->Next()) {
    std::string writer;
    uint64_t sequence = 0;
    LoggedUpdate update;
    if (!DecodeWriterKey(View(records->key()), &writer, &sequence) ||
        !DecodeUpdate(View(records->value()), &update)) {
      return Malformed(*database_, "a writer is not readable");
    }
    visit(writer, sequence, update);
  }
  return FromRocksDb(
      records->status(),
      absl::StrCat("read the log of ", database_->directory().string()));
}

absl::Status ChangeLog::FollowFeed(const std::string& feed) {
  if (feed_ == feed) return absl::OkStatus();
  if (last_version_ != base_.graph_version) {
    return absl::FailedPreconditionError(absl::StrCat(
        database_->directory().string(), " has versions up to ", last_version_,
        feed_.empty() ? " that came from no change feed"
                      : absl::StrCat(" of the change feed \"", feed_, "\""),
        ", not from \"", feed,
        "\"; start with an empty data directory or with "
        "a checkpoint of a replica of this feed"));
  }
  rocksdb::WriteBatch batch;
  batch.Put(database_->handle(GraphFamily::kDelta), kFeedKey, feed);
  SLICE_RETURN_IF_ERROR(Write(batch));
  feed_ = feed;
  return absl::OkStatus();
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
    const std::string changes = EncodeChanges(record.changes);
    digest = NextDigest(digest, changes);
    batch.Put(delta, ChangesKey(record.version), digest + changes);
    if (record.writer.empty()) continue;
    batch.Put(delta, WriterKey(record.writer, record.sequence),
              EncodeUpdate({record.version, record.request_hash}));
  }
  SLICE_RETURN_IF_ERROR(Write(batch));
  last_version_ = records.back().version;
  state_digest_ = std::move(digest);
  for (const LoggedChanges& record : records) {
    if (!record.writer.empty()) sequences_[record.writer] = record.sequence;
  }
  return absl::OkStatus();
}

absl::Status ChangeLog::Write(rocksdb::WriteBatch& batch) {
  if (base_.format_version < kLiveGraphFormatVersion) {
    GraphMetadata live = base_;
    live.format_version = kLiveGraphFormatVersion;
    batch.Put(database_->handle(GraphFamily::kMeta),
              rocksdb::Slice(kGraphRecord.data(), kGraphRecord.size()),
              EncodeMetadata(live));
  }
  SLICE_RETURN_IF_ERROR(database_->WriteDurably(batch));
  base_.format_version = kLiveGraphFormatVersion;
  return absl::OkStatus();
}

absl::Status ChangeLog::Summarize(const ChangeSummary& summary) {
  rocksdb::WriteBatch batch;
  auto* const delta = database_->handle(GraphFamily::kDelta);
  batch.Put(delta, kSummaryKey, EncodeSummary(summary));
  batch.DeleteRange(delta, ChangesKey(0), ChangesKey(summary.version + 1));
  std::map<std::string, uint64_t> last;  // up to the version, by writer
  SLICE_RETURN_IF_ERROR(
      ForEachUpdate([&](const std::string& writer, uint64_t sequence,
                        const LoggedUpdate& update) {
        if (update.version > summary.version) return;
        if (const auto before = last.find(writer); before != last.end())
          batch.Delete(delta, WriterKey(writer, before->second));
        last[writer] = sequence;
      }));
  SLICE_RETURN_IF_ERROR(Write(batch));
  database_->Flush(GraphFamily::kDelta);  // a summary may be large
  first_version_ = summary.version;
  if (last_version_ > summary.version) return absl::OkStatus();
  last_version_ = summary.version;
  state_digest_ = summary.state_digest;
  return absl::OkStatus();
}

absl::Status ChangeLog::Replay(const Visit& visit) const {
  std::string digest = base_.graph_digest;
  uint64_t expected = first_version_;
  SLICE_ASSIGN_OR_RETURN(auto summary, ReadSummary());
  if (summary.has_value()) {
    digest = summary->state_digest;
    for (GraphChanges& changes : summary->changes)
      SLICE_RETURN_IF_ERROR(visit(summary->version, std::move(changes)));
  }
  absl::Status status;
  SLICE_RETURN_IF_ERROR(database_->Scan(
      GraphFamily::kDelta, [&](std::string_view key, std::string_view value) {
        if (key.empty() || key.front() != kChangesPrefix) return true;
        if (key.size() != 9 ||
            ReadBigEndian<uint64_t>(key.substr(1)) != ++expected) {
          status = Malformed(*database_,
                             absl::StrCat("version ", expected, " is missing"));
          return false;
        }
        const std::string_view changes =
            value.substr(std::min(value.size(), kDigestBytes));
        digest = NextDigest(digest, changes);
        GraphChanges decoded;
        if (digest != value.substr(0, kDigestBytes)) {
          status = Malformed(*database_,
                             absl::StrCat("the digest of version ", expected,
                                          " does not follow from its changes"));
        } else if (!DecodeChanges(changes, &decoded)) {
          status = Malformed(*database_, absl::StrCat("version ", expected,
                                                      " is not readable"));
        } else {
          status = visit(expected, std::move(decoded));
        }
        return status.ok();
      }));
  return status;
}

absl::Status ChangeLog::CheckKnown(uint64_t version) const {
  if (version >= first_version_ && version <= last_version_)
    return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(
      "the log of ", database_->directory().string(), " has the versions ",
      first_version_, " to ", last_version_, ", not ", version));
}

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> ChangeLog::GraphAt(
    std::shared_ptr<const GraphSnapshot> base, std::optional<uint64_t> version,
    size_t* logged) const {
  const uint64_t wanted = version.value_or(last_version_);
  SLICE_RETURN_IF_ERROR(CheckKnown(wanted));
  if (wanted == base_.graph_version) return base;
  std::shared_ptr<const GraphSnapshot> graph = std::move(base);
  MergedChanges together(graph->node_count());
  const auto flush = [&](uint64_t at) -> absl::Status {
    SLICE_ASSIGN_OR_RETURN(graph, graph->Apply(together.Take(), at));
    return absl::OkStatus();
  };
  SLICE_RETURN_IF_ERROR(
      Replay([&](uint64_t at, GraphChanges changes) -> absl::Status {
        if (at > wanted) return absl::OkStatus();
        if (logged && at > first_version_) *logged += CountOf(changes);
        if (together.size() >= kMostTogether || !together.Admits(changes)) {
          SLICE_RETURN_IF_ERROR(flush(at - 1));
        }
        together.Add(changes);
        return absl::OkStatus();
      }));
  SLICE_RETURN_IF_ERROR(flush(wanted));
  return graph;
}

absl::StatusOr<std::string> ChangeLog::DigestAt(uint64_t version) const {
  SLICE_RETURN_IF_ERROR(CheckKnown(version));
  if (version == last_version_) return state_digest_;
  if (version > first_version_) {
    SLICE_ASSIGN_OR_RETURN(
        const auto value,
        database_->Get(GraphFamily::kDelta, ChangesKey(version)));
    if (value && value->size() >= kDigestBytes)
      return value->substr(0, kDigestBytes);
    return Malformed(*database_,
                     absl::StrCat("version ", version, " is missing"));
  }
  SLICE_ASSIGN_OR_RETURN(const auto summary, ReadSummary());
  return summary ? summary->state_digest : base_.graph_digest;
}

absl::StatusOr<std::optional<LoggedUpdate>> ChangeLog::Find(
    const std::string& writer, uint64_t sequence) const {
  SLICE_ASSIGN_OR_RETURN(
      const auto found,
      database_->Get(GraphFamily::kDelta, WriterKey(writer, sequence)));
  if (!found.has_value()) return std::optional<LoggedUpdate>();
  LoggedUpdate update;
  if (!DecodeUpdate(*found, &update))
    return Malformed(*database_, "a writer is not readable");
  return std::optional<LoggedUpdate>(update);
}

absl::Status ChangeLog::Recover() {
  // An attempt that finds no room may leave RocksDB broken until the next
  // start. So it tries only once the disk takes as much as a log may need.
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
