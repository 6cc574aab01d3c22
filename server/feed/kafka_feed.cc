// Three kinds of librdkafka handles, each with its own connections:
//   a producer, whose delivery reports a thread of its own takes
//   a handle that asks for the topic and its offsets
//   a consumer for each reader, with the partition assigned by hand: there is
//   no consumer group, because every replica reads everything
#include "server/feed/kafka_feed.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/did_you_mean.h"
#include "common/mutex.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr int kAskMilliseconds = 2000, kPollMilliseconds = 100;
constexpr int32_t kPartition = 0;
constexpr size_t kErrorBytes = 512;

struct HandleDestroyer {
  void operator()(rd_kafka_t* handle) const { rd_kafka_destroy(handle); }
};
using Handle = std::unique_ptr<rd_kafka_t, HandleDestroyer>;

void DropLog(const rd_kafka_t*, int, const char*, const char*) {}
void DropError(rd_kafka_t*, int, const char*, void*) {}

// How a published message fared.
class Delivery {
 public:
  void Report(rd_kafka_resp_err_t error, int64_t offset) {
    MutexLock lock(&mutex_);
    reported_ = true;
    error_ = error;
    offset_ = offset;
    changed_.SignalAll();
  }
  // librdkafka reports each message once, at the latest after
  // message.timeout.ms.
  std::pair<rd_kafka_resp_err_t, int64_t> Wait() {
    MutexLock lock(&mutex_);
    while (!reported_) changed_.Wait(&mutex_);
    return {error_, offset_};
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool reported_ ABSL_GUARDED_BY(mutex_) = false;
  rd_kafka_resp_err_t error_ ABSL_GUARDED_BY(mutex_) =
      RD_KAFKA_RESP_ERR_NO_ERROR;
  int64_t offset_ ABSL_GUARDED_BY(mutex_) = 0;
};

void OnDelivery(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
  const std::unique_ptr<std::shared_ptr<Delivery>> delivery(
      static_cast<std::shared_ptr<Delivery>*>(message->_private));
  (*delivery)->Report(message->err, message->offset);
}

// What differs from librdkafka's defaults, before the settings of the operator.
const FeedSettings& ProducerDefaults() {
  static const FeedSettings& defaults = *new FeedSettings{
      {"enable.idempotence", "true"},
      {"linger.ms", "0"},
      {"message.timeout.ms", "5000"},
      {"message.max.bytes", "8388608"},
  };
  return defaults;
}

const FeedSettings& ConsumerDefaults() {
  static const FeedSettings& defaults = *new FeedSettings{
      {"group.id", "slice-server"},  // required, and not used
      {"enable.auto.commit", "false"},
      {"enable.auto.offset.store", "false"},
      {"auto.offset.reset", "error"},
      {"fetch.error.backoff.ms", "50"},
      {"fetch.message.max.bytes", "8388608"},
  };
  return defaults;
}

absl::StatusOr<Handle> MakeHandle(rd_kafka_type_t type,
                                  const FeedAddress& address,
                                  const FeedSettings& settings) {
  rd_kafka_conf_t* const conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, DropLog);
  rd_kafka_conf_set_error_cb(conf, DropError);
  FeedSettings all =
      type == RD_KAFKA_PRODUCER ? ProducerDefaults() : ConsumerDefaults();
  if (type == RD_KAFKA_PRODUCER) rd_kafka_conf_set_dr_msg_cb(conf, OnDelivery);
  all["reconnect.backoff.max.ms"] = "1000";
  all["bootstrap.servers"] = absl::StrJoin(address.servers, ",");
  for (const auto& [name, value] : settings) all[name] = value;
  std::array<char, kErrorBytes> error = {};
  for (const auto& [name, value] : all) {
    if (rd_kafka_conf_set(conf, name.c_str(), value.c_str(), error.data(),
                          error.size()) == RD_KAFKA_CONF_OK) {
      continue;
    }
    rd_kafka_conf_destroy(conf);
    return absl::InvalidArgumentError(
        absl::StrCat("--feed-config: ", Quoted(name), ": ", error.data()));
  }
  Handle handle(rd_kafka_new(type, conf, error.data(), error.size()));
  if (handle != nullptr) return handle;
  rd_kafka_conf_destroy(conf);
  return absl::InvalidArgumentError(
      absl::StrCat("--feed-config: librdkafka does not start: ", error.data()));
}

class KafkaReader final : public FeedReader {
 public:
  KafkaReader(Handle consumer, std::string topic, std::string name,
              uint64_t known_last)
      : consumer_(std::move(consumer)),
        topic_(std::move(topic)),
        name_(std::move(name)),
        known_last_(known_last) {}
  ~KafkaReader() override { rd_kafka_consumer_close(consumer_.get()); }

  absl::Status Read(size_t most, absl::Duration timeout,
                    std::vector<FeedEntry>* entries) override {
    const size_t end = entries->size() + most;
    int wait = static_cast<int>(absl::ToInt64Milliseconds(timeout));
    while (entries->size() < end) {
      rd_kafka_message_t* const message =
          rd_kafka_consumer_poll(consumer_.get(), wait);
      if (message == nullptr) break;
      const rd_kafka_resp_err_t error = message->err;
      if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
        entries->push_back(
            {static_cast<uint64_t>(message->offset) + 1,
             std::string(static_cast<const char*>(message->payload),
                         message->len)});
      }
      rd_kafka_message_destroy(message);
      if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return absl::UnavailableError(absl::StrCat(
            "the feed ", name_, " is not read: ", rd_kafka_err2str(error)));
      }
      wait = 0;
    }
    if (!entries->empty())
      known_last_ = std::max(known_last_, entries->back().sequence);
    int64_t low = 0, high = 0;
    if (rd_kafka_get_watermark_offsets(consumer_.get(), topic_.c_str(),
                                       kPartition, &low,
                                       &high) == RD_KAFKA_RESP_ERR_NO_ERROR &&
        high > 0) {
      known_last_ = std::max(known_last_, static_cast<uint64_t>(high));
    }
    return absl::OkStatus();
  }

  uint64_t known_last() const override { return known_last_; }

 private:
  const Handle consumer_;
  const std::string topic_, name_;
  uint64_t known_last_;
};

class KafkaFeed final : public ChangeFeed {
 public:
  KafkaFeed(const FeedAddress& address, const FeedSettings& settings)
      : address_(address), settings_(settings), name_(address.Name()) {}
  ~KafkaFeed() override {
    closing_ = true;
    if (reports_.joinable()) reports_.join();
  }

  absl::Status Connect();

  absl::StatusOr<Published> Publish(const std::string& bytes,
                                    const std::string& message_id) override;
  absl::StatusOr<FeedExtent> Extent() override;
  absl::StatusOr<std::unique_ptr<FeedReader>> ReadFrom(
      uint64_t sequence) override;
  bool connected() const override { return answers_; }
  const std::string& name() const override { return name_; }

 private:
  absl::Status Unavailable(rd_kafka_resp_err_t error) {
    answers_ = false;
    return absl::UnavailableError(absl::StrCat(
        "the feed ", name_, " cannot be reached: ", rd_kafka_err2str(error)));
  }
  absl::Status CheckTopic();
  // The producer; another one when the last one met an error that it cannot
  // recover from.
  absl::StatusOr<std::shared_ptr<rd_kafka_t>> Producer();
  void TakeReports();

  const FeedAddress address_;
  const FeedSettings settings_;
  const std::string name_;
  Handle asker_;
  std::atomic<bool> answers_ = false, closing_ = false;

  Mutex mutex_;
  std::shared_ptr<rd_kafka_t> producer_ ABSL_GUARDED_BY(mutex_);
  std::thread reports_;
};

absl::Status KafkaFeed::Connect() {
  SLICE_ASSIGN_OR_RETURN(asker_,
                         MakeHandle(RD_KAFKA_CONSUMER, address_, settings_));
  SLICE_RETURN_IF_ERROR(Producer().status());
  reports_ = std::thread([this] { TakeReports(); });
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<rd_kafka_t>> KafkaFeed::Producer() {
  MutexLock lock(&mutex_);
  if (producer_ != nullptr &&
      rd_kafka_fatal_error(producer_.get(), nullptr, 0) ==
          RD_KAFKA_RESP_ERR_NO_ERROR) {
    return producer_;
  }
  SLICE_ASSIGN_OR_RETURN(Handle made,
                         MakeHandle(RD_KAFKA_PRODUCER, address_, settings_));
  producer_ = std::move(made);
  return producer_;
}

void KafkaFeed::TakeReports() {
  while (!closing_) {
    std::shared_ptr<rd_kafka_t> producer;
    {
      MutexLock lock(&mutex_);
      producer = producer_;
    }
    rd_kafka_poll(producer.get(), kPollMilliseconds);
  }
}

absl::Status KafkaFeed::CheckTopic() {
  rd_kafka_topic_t* const topic =
      rd_kafka_topic_new(asker_.get(), address_.stream.c_str(), nullptr);
  const rd_kafka_metadata_t* metadata = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(asker_.get(), 0, topic, &metadata, kAskMilliseconds);
  rd_kafka_topic_destroy(topic);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Unavailable(error);
  const rd_kafka_resp_err_t of_topic = metadata->topics[0].err;
  const int partitions = metadata->topics[0].partition_cnt;
  rd_kafka_metadata_destroy(metadata);
  if (of_topic == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
    return absl::NotFoundError(absl::StrCat(
        "the feed ", name_, " does not exist: there is no topic ",
        Quoted(address_.stream),
        "; make it with one partition (kafka-topics --create --partitions "
        "1)"));
  }
  if (of_topic != RD_KAFKA_RESP_ERR_NO_ERROR) return Unavailable(of_topic);
  if (partitions == 1) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the feed ", name_, " has ", partitions,
      " partitions, and changes have one order: make a topic of one "
      "partition"));
}

absl::StatusOr<FeedExtent> KafkaFeed::Extent() {
  SLICE_RETURN_IF_ERROR(CheckTopic());
  int64_t low = 0, high = 0;
  const rd_kafka_resp_err_t error = rd_kafka_query_watermark_offsets(
      asker_.get(), address_.stream.c_str(), kPartition, &low, &high,
      kAskMilliseconds);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Unavailable(error);
  answers_ = true;
  FeedExtent extent;
  extent.first = static_cast<uint64_t>(low) + 1;
  extent.last = static_cast<uint64_t>(high);
  char* const cluster = rd_kafka_clusterid(asker_.get(), kAskMilliseconds);
  extent.identity = absl::StrCat("kafka ", cluster == nullptr ? "" : cluster,
                                 " ", address_.stream);
  if (cluster != nullptr) rd_kafka_mem_free(asker_.get(), cluster);
  return extent;
}

absl::StatusOr<Published> KafkaFeed::Publish(const std::string& bytes,
                                             const std::string& /*id*/) {
  SLICE_ASSIGN_OR_RETURN(const auto producer, Producer());
  const auto delivery = std::make_shared<Delivery>();
  auto kept = std::make_unique<std::shared_ptr<Delivery>>(delivery);
  const rd_kafka_resp_err_t queued = rd_kafka_producev(
      producer.get(), RD_KAFKA_V_TOPIC(address_.stream.c_str()),
      RD_KAFKA_V_PARTITION(kPartition),
      RD_KAFKA_V_VALUE(const_cast<char*>(bytes.data()), bytes.size()),
      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_OPAQUE(kept.get()),
      RD_KAFKA_V_END);
  rd_kafka_resp_err_t error = queued;
  int64_t offset = 0;
  if (queued == RD_KAFKA_RESP_ERR_NO_ERROR) {
    (void)kept.release();  // OnDelivery owns it
    std::tie(error, offset) = delivery->Wait();
  }
  if (error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) {
    return absl::InvalidArgumentError(
        absl::StrCat("changes: the request has ", bytes.size(),
                     " bytes, which the feed ", name_,
                     " does not take; send fewer changes at once, or raise "
                     "max.message.bytes of the topic"));
  }
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Unavailable(error);
  answers_ = true;
  return Published{.sequence = static_cast<uint64_t>(offset) + 1};
}

absl::StatusOr<std::unique_ptr<FeedReader>> KafkaFeed::ReadFrom(
    uint64_t sequence) {
  SLICE_ASSIGN_OR_RETURN(Handle consumer,
                         MakeHandle(RD_KAFKA_CONSUMER, address_, settings_));
  rd_kafka_poll_set_consumer(consumer.get());
  rd_kafka_topic_partition_list_t* const partitions =
      rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(partitions, address_.stream.c_str(),
                                    kPartition)
      ->offset = static_cast<int64_t>(sequence) - 1;
  const rd_kafka_resp_err_t error = rd_kafka_assign(consumer.get(), partitions);
  rd_kafka_topic_partition_list_destroy(partitions);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Unavailable(error);
  return std::make_unique<KafkaReader>(std::move(consumer), address_.stream,
                                       name_, sequence - 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChangeFeed>> ConnectToKafka(
    const FeedAddress& address, const FeedSettings& settings) {
  auto feed = std::make_unique<KafkaFeed>(address, settings);
  SLICE_RETURN_IF_ERROR(feed->Connect());
  return feed;
}

}  // namespace slice
