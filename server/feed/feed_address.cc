#include "server/feed/feed_address.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr std::string_view kNatsScheme = "nats://", kKafkaScheme = "kafka://";
constexpr std::string_view kReplicas = "replicas=";
constexpr int kNatsPort = 4222, kKafkaPort = 9092;
constexpr int kMostReplicas = 5;

absl::Status Wrong(const std::string& text, const std::string& problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("--feed: ", Quoted(text), " ", problem,
                   "; an address is nats://HOST:PORT[,HOST:PORT...]/STREAM or "
                   "kafka://HOST:PORT[,HOST:PORT...]/TOPIC"));
}

// HOST or HOST:PORT; an IPv6 address is in brackets.
absl::StatusOr<std::string> WithPort(const std::string& text,
                                     const std::string& server, int port) {
  const size_t bracket = server.rfind(']');
  const size_t colon = server.rfind(':');
  const bool has_port = colon != std::string::npos &&
                        (bracket == std::string::npos || colon > bracket);
  if (server.empty() || colon == 0)
    return Wrong(text, "names a server without a host");
  if (!has_port) return absl::StrCat(server, ":", port);
  int given = 0;
  if (!absl::SimpleAtoi(server.substr(colon + 1), &given) || given < 1 ||
      given > 65535) {
    return Wrong(text, absl::StrCat("has a port that is not from 1 to 65535: ",
                                    Quoted(server.substr(colon + 1))));
  }
  return server;
}

// What NATS and Kafka both take as a name, so that a stream's name is also the
// subject of its messages.
bool IsStreamName(std::string_view name) {
  return !name.empty() && name.size() <= 200 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '-' || c == '_';
         });
}

absl::Status ReadOptions(const std::string& text, std::string_view options,
                         FeedAddress* address) {
  if (options.empty()) return absl::OkStatus();
  if (!absl::StartsWith({options.data(), options.size()},
                        {kReplicas.data(), kReplicas.size()})) {
    return Wrong(
        text,
        absl::StrCat("has the unknown option ", Quoted(std::string(options)),
                     "; the only one is ?replicas=NUMBER, of nats"));
  }
  const std::string count(options.substr(kReplicas.size()));
  if (!absl::SimpleAtoi(count, &address->replicas) || address->replicas < 1 ||
      address->replicas > kMostReplicas) {
    return Wrong(text, absl::StrCat("has a number of replicas that is not from "
                                    "1 to ",
                                    kMostReplicas, ": ", Quoted(count)));
  }
  return absl::OkStatus();
}

}  // namespace

std::string FeedAddress::Name() const {
  return absl::StrCat(kind == Kind::kNats ? "nats://" : "kafka://",
                      absl::StrJoin(servers, ","), "/", stream);
}

absl::StatusOr<FeedAddress> ParseFeedAddress(const std::string& text) {
  FeedAddress address;
  std::string_view rest = text;
  if (rest.starts_with(kNatsScheme)) {
    rest.remove_prefix(kNatsScheme.size());
  } else if (rest.starts_with(kKafkaScheme)) {
    address.kind = FeedAddress::Kind::kKafka;
    rest.remove_prefix(kKafkaScheme.size());
  } else {
    return Wrong(text, "begins with neither nats:// nor kafka://");
  }
  const size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return Wrong(text, "names no stream");
  const std::string servers(rest.substr(0, slash));
  rest.remove_prefix(slash + 1);
  const size_t question = rest.find('?');
  address.stream = std::string(rest.substr(0, question));
  if (!IsStreamName(address.stream)) {
    return Wrong(text, absl::StrCat("names the stream ", Quoted(address.stream),
                                    ", and a name has letters, digits, - and "
                                    "_"));
  }
  if (question != std::string_view::npos) {
    SLICE_RETURN_IF_ERROR(
        ReadOptions(text, rest.substr(question + 1), &address));
  }
  if (absl::StrContains(servers, "@")) {
    return Wrong(text,
                 "shows a password, which every user of the machine can read; "
                 "put it into the file of --feed-config");
  }
  if (address.replicas > 0 && address.kind == FeedAddress::Kind::kKafka) {
    return Wrong(text,
                 "asks for a topic to be made, which Kafka's own tools do "
                 "(kafka-topics --create --partitions 1)");
  }
  const int port =
      address.kind == FeedAddress::Kind::kNats ? kNatsPort : kKafkaPort;
  for (const std::string& server :
       std::vector<std::string>(absl::StrSplit(servers, ','))) {
    SLICE_ASSIGN_OR_RETURN(std::string one, WithPort(text, server, port));
    address.servers.push_back(std::move(one));
  }
  return address;
}

}  // namespace slice
