// One connection, which the NATS library opens again by itself, carries all
// calls. Publishing waits for the stream's acknowledgement, so several threads
// publish at once. A reader is an ordered consumer: the server pushes messages,
// and the library asks again for what it misses. What the library does not heal
// (a consumer that the server forgot), GraphReplica does: it makes a new reader
// when the stream has entries that the reader does not bring.
#include "server/feed/nats_feed.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "server/feed/nats_handles.h"
#include "server/feed/nats_options.h"

namespace slice {
namespace {

// In milliseconds, as the library counts.
constexpr int64_t kCallWait = 2000, kPublishWait = 3000;
constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr int64_t kHeartbeat = 1 * kNanosecondsPerSecond;
// How long the server keeps a consumer whose reader is gone.
constexpr int64_t kForgetConsumer = 30 * kNanosecondsPerSecond;
// For how long the stream knows the ids of messages.
constexpr int64_t kKnownIds = 120 * kNanosecondsPerSecond;

class NatsReader final : public FeedReader {
 public:
  NatsReader(natsConnection* connection, natsSubscription* subscription,
             std::string name, uint64_t known_last)
      : connection_(connection),
        subscription_(subscription),
        name_(std::move(name)),
        known_last_(known_last) {}
  ~NatsReader() override {
    (void)natsSubscription_Unsubscribe(subscription_);
    natsSubscription_Destroy(subscription_);
  }

  absl::Status Read(size_t most, absl::Duration timeout,
                    std::vector<FeedEntry>* entries) override {
    const size_t end = entries->size() + most;
    int64_t wait = std::max<int64_t>(1, absl::ToInt64Milliseconds(timeout));
    while (entries->size() < end) {
      natsMsg* next = nullptr;
      const natsStatus status =
          natsSubscription_NextMsg(&next, subscription_, wait);
      const NatsMessage message(next);
      if (status == NATS_TIMEOUT) break;
      if (status != NATS_OK) return Lost(natsStatus_GetText(status));
      SLICE_RETURN_IF_ERROR(Add(*message, entries));
      wait = 1;  // what is here already
      uint64_t waiting = 0;
      if (natsSubscription_QueuedMsgs(subscription_, &waiting) != NATS_OK ||
          waiting == 0) {
        break;
      }
    }
    if (natsConnection_Status(connection_) != NATS_CONN_STATUS_CONNECTED)
      return Lost("the connection is lost");
    return absl::OkStatus();
  }

  uint64_t known_last() const override { return known_last_; }

 private:
  absl::Status Lost(const std::string& why) const {
    return absl::UnavailableError(
        absl::StrCat("the feed ", name_, " is not read: ", why));
  }

  absl::Status Add(natsMsg& message, std::vector<FeedEntry>* entries) {
    jsMsgMetaData* found = nullptr;
    if (natsMsg_GetMetaData(&found, &message) != NATS_OK)
      return Lost("a message has no sequence");
    const JetStreamMetadata data(found);
    known_last_ =
        std::max(known_last_, data->Sequence.Stream + data->NumPending);
    entries->push_back(
        {data->Sequence.Stream,
         std::string(natsMsg_GetData(&message),
                     static_cast<size_t>(natsMsg_GetDataLength(&message)))});
    return absl::OkStatus();
  }

  natsConnection* const connection_;
  natsSubscription* const subscription_;
  const std::string name_;
  uint64_t known_last_;
};

class NatsFeed final : public ChangeFeed {
 public:
  explicit NatsFeed(const FeedAddress& address)
      : address_(address), name_(address.Name()) {}

  absl::Status Connect(const FeedSettings& settings);

  absl::StatusOr<Published> Publish(const std::string& bytes,
                                    const std::string& message_id) override;
  absl::StatusOr<FeedExtent> Extent() override;
  absl::StatusOr<std::unique_ptr<FeedReader>> ReadFrom(
      uint64_t sequence) override;
  bool connected() const override {
    return natsConnection_Status(connection_.get()) ==
           NATS_CONN_STATUS_CONNECTED;
  }
  const std::string& name() const override { return name_; }

 private:
  absl::Status Unavailable(natsStatus status) const {
    return absl::UnavailableError(
        absl::StrCat("the feed ", name_,
                     " cannot be reached: ", natsStatus_GetText(status)));
  }
  absl::Status RequireConnection() const {
    return connected() ? absl::OkStatus()
                       : Unavailable(NATS_CONNECTION_DISCONNECTED);
  }
  absl::Status MakeStream();
  // Also keeps the subject.
  absl::StatusOr<JetStreamInfo> Info();
  // The subject that the stream takes messages from.
  absl::StatusOr<std::string> Subject();

  const FeedAddress address_;
  const std::string name_;
  NatsConnection connection_;
  JetStreamContext stream_;

  Mutex mutex_;
  std::string subject_ ABSL_GUARDED_BY(mutex_);  // empty: not known yet
};

absl::Status NatsFeed::Connect(const FeedSettings& settings) {
  SLICE_ASSIGN_OR_RETURN(const NatsOptions options,
                         MakeNatsOptions(address_, settings));
  natsConnection* connection = nullptr;
  natsStatus status = natsConnection_Connect(&connection, options.get());
  connection_.reset(connection);
  if (connection == nullptr) return Unavailable(status);
  jsOptions stream_options;
  (void)jsOptions_Init(&stream_options);
  stream_options.Wait = kCallWait;
  jsCtx* stream = nullptr;
  status = natsConnection_JetStream(&stream, connection, &stream_options);
  stream_.reset(stream);
  return status == NATS_OK ? absl::OkStatus() : Unavailable(status);
}

absl::Status NatsFeed::MakeStream() {
  jsStreamConfig config;
  (void)jsStreamConfig_Init(&config);
  config.Name = address_.stream.c_str();
  config.Replicas = address_.replicas;
  config.Storage = js_FileStorage;
  config.Duplicates = kKnownIds;
  config.DenyDelete = true;  // a hole would stop all replicas
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status =
      js_AddStream(nullptr, stream_.get(), &config, nullptr, &code);
  // Another server may have been faster.
  if (status == NATS_OK || code == JSStreamNameExistErr)
    return absl::OkStatus();
  if (code == 0) return Unavailable(status);
  return absl::UnavailableError(absl::StrCat(
      "the feed ", name_, " was not made with ", address_.replicas,
      " replicas: ", natsStatus_GetText(status), ", JetStream error ", code));
}

absl::StatusOr<JetStreamInfo> NatsFeed::Info() {
  SLICE_RETURN_IF_ERROR(RequireConnection());
  for (bool made = false;; made = true) {
    jsStreamInfo* found = nullptr;
    jsErrCode code = static_cast<jsErrCode>(0);
    const natsStatus status = js_GetStreamInfo(
        &found, stream_.get(), address_.stream.c_str(), nullptr, &code);
    JetStreamInfo info(found);
    if (status == NATS_OK) return info;
    if (code != JSStreamNotFoundErr) return Unavailable(status);
    if (made || address_.replicas == 0) {
      return absl::NotFoundError(absl::StrCat(
          "the feed ", name_, " does not exist: there is no stream ",
          Quoted(address_.stream),
          "; make it, or add ?replicas=1 (or 3 on a cluster) to --feed"));
    }
    SLICE_RETURN_IF_ERROR(MakeStream());
  }
}

absl::StatusOr<FeedExtent> NatsFeed::Extent() {
  SLICE_ASSIGN_OR_RETURN(const JetStreamInfo info, Info());
  const jsStreamConfig& config = *info->Config;
  const std::string subject = config.SubjectsLen == 1 ? config.Subjects[0] : "";
  if (config.Retention != js_LimitsPolicy || subject.empty() ||
      subject.find_first_of("*>") != std::string::npos) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the feed ", name_,
        " is not fit for it: a stream of changes has one subject without "
        "wildcards and the retention policy limits"));
  }
  {
    MutexLock lock(&mutex_);
    subject_ = subject;
  }
  FeedExtent extent;
  extent.last = info->State.LastSeq;
  extent.first = info->State.Msgs == 0 ? extent.last + 1 : info->State.FirstSeq;
  extent.identity =
      absl::StrCat("nats ", address_.stream, " made ", info->Created);
  return extent;
}

absl::StatusOr<std::string> NatsFeed::Subject() {
  {
    MutexLock lock(&mutex_);
    if (!subject_.empty()) return subject_;
  }
  SLICE_RETURN_IF_ERROR(Extent().status());
  MutexLock lock(&mutex_);
  return subject_;
}

absl::StatusOr<Published> NatsFeed::Publish(const std::string& bytes,
                                            const std::string& message_id) {
  SLICE_RETURN_IF_ERROR(RequireConnection());
  const int64_t limit = natsConnection_GetMaxPayload(connection_.get());
  // The header with the message's id counts too.
  constexpr int64_t kHeaderBytes = 512;
  if (static_cast<int64_t>(bytes.size()) + kHeaderBytes > limit) {
    return absl::InvalidArgumentError(absl::StrCat(
        "changes: the request has ", bytes.size(), " bytes, and the feed ",
        name_, " takes ", limit,
        "; send fewer changes at once, or raise max_payload of nats-server"));
  }
  SLICE_ASSIGN_OR_RETURN(const std::string subject, Subject());
  jsPubOptions options;
  (void)jsPubOptions_Init(&options);
  options.MsgId = message_id.c_str();
  options.ExpectStream = address_.stream.c_str();
  options.MaxWait = kPublishWait;
  jsPubAck* acknowledged = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status =
      js_Publish(&acknowledged, stream_.get(), subject.c_str(), bytes.data(),
                 static_cast<int>(bytes.size()), &options, &code);
  const JetStreamAcknowledgement acknowledgement(acknowledged);
  if (status != NATS_OK) return Unavailable(status);
  return Published{acknowledgement->Sequence, acknowledgement->Duplicate};
}

absl::StatusOr<std::unique_ptr<FeedReader>> NatsFeed::ReadFrom(
    uint64_t sequence) {
  SLICE_RETURN_IF_ERROR(RequireConnection());
  SLICE_ASSIGN_OR_RETURN(const std::string subject, Subject());
  jsSubOptions options;
  (void)jsSubOptions_Init(&options);
  options.Stream = address_.stream.c_str();
  options.Ordered = true;
  options.Config.DeliverPolicy = js_DeliverByStartSequence;
  options.Config.OptStartSeq = sequence;
  options.Config.Heartbeat = kHeartbeat;
  options.Config.InactiveThreshold = kForgetConsumer;
  natsSubscription* subscription = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  const natsStatus status = js_SubscribeSync(
      &subscription, stream_.get(), subject.c_str(), nullptr, &options, &code);
  if (status != NATS_OK) return Unavailable(status);
  return std::make_unique<NatsReader>(connection_.get(), subscription, name_,
                                      sequence - 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChangeFeed>> ConnectToNats(
    const FeedAddress& address, const FeedSettings& settings) {
  auto feed = std::make_unique<NatsFeed>(address);
  SLICE_RETURN_IF_ERROR(feed->Connect(settings));
  return feed;
}

}  // namespace slice
