#include "server/feed/feed_entry_codec.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/sha256.h"
#include "server/graph/update_validation.h"
#include "slice/v1/change_feed.pb.h"

namespace slice {

std::string EncodeEntry(const GraphUpdate& update,
                        const std::string& publication,
                        const VersionDigest& state) {
  v1::FeedEntry entry;
  *entry.mutable_changes() = update.changes;
  entry.set_writer(update.writer);
  entry.set_sequence(update.sequence);
  entry.set_publication(publication);
  entry.mutable_publisher_state()->set_base_digest(state.base_digest);
  entry.mutable_publisher_state()->set_graph_version(state.version);
  entry.mutable_publisher_state()->set_state_digest(state.digest);
  return entry.SerializeAsString();
}

std::string MessageIdOf(const GraphUpdate& update) {
  v1::FeedEntry entry;
  *entry.mutable_changes() = update.changes;
  entry.set_writer(update.writer);
  entry.set_sequence(update.sequence);
  return Sha256Bytes(entry.SerializeAsString());
}

DecodedEntry DecodeEntry(const FeedEntry& from) {
  DecodedEntry decoded;
  decoded.update.feed_version = from.sequence;
  v1::FeedEntry entry;
  if (!entry.ParseFromString(from.bytes)) {
    decoded.refused = absl::InvalidArgumentError(
        absl::StrCat("entry ", from.sequence, " is no slice.v1.FeedEntry"));
    return decoded;
  }
  decoded.publication = std::move(*entry.mutable_publication());
  decoded.state = {
      .base_digest = entry.publisher_state().base_digest(),
      .version = entry.publisher_state().graph_version(),
      .digest = entry.publisher_state().state_digest(),
  };
  decoded.refused =
      ValidateUpdate(entry.changes(), entry.writer(), entry.sequence());
  if (!decoded.refused.ok()) return decoded;
  decoded.update.changes = std::move(*entry.mutable_changes());
  decoded.update.writer = std::move(*entry.mutable_writer());
  decoded.update.sequence = entry.sequence();
  return decoded;
}

}  // namespace slice
