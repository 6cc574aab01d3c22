// A request takes these steps. Workers serve hosts in turns, by the bytes they
// read and write for each (server/http/fair_workers.h).
//   1. a worker reads the JSON or the query into a message
//   2. gRPC is called, in this process (server/http/relayed_call.h)
//   3. a worker writes the answer as JSON; the answers of a stream become an
//      array, as Envoy writes them
// What waits for a worker is counted as memory of its host (HttpRequest::hold).
#include "server/http/json_api.h"

#include <google/protobuf/message.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/did_you_mean.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "server/grpc_status.h"
#include "server/http/json_messages.h"
#include "server/http/query_fields.h"
#include "server/http/relayed_call.h"
#include "server/limits.h"
#include "server/rpc/wire_messages.h"
#include "server/transport/peer_address.h"

namespace slice {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::Message;

constexpr int kWorkers = 2;
// What reading or writing a message costs beside its bytes, in bytes.
constexpr size_t kRequestCost = 1024;
constexpr char kTrace[] = "traceparent";

std::unique_ptr<Message> NewMessage(const Descriptor& type) {
  return std::unique_ptr<Message>(
      google::protobuf::MessageFactory::generated_factory()
          ->GetPrototype(&type)
          ->New());
}

HttpAnswer AnswerOfError(const grpc::Status& status) {
  google::rpc::Status error;
  if (!error.ParseFromString(status.error_details()) || error.code() == 0) {
    error.set_code(status.error_code());
    error.set_message(status.error_message());
  }
  HttpAnswer answer = JsonAnswer(
      HttpStatusOf(static_cast<absl::StatusCode>(error.code())), ToJson(error));
  for (const auto& detail : error.details()) {
    google::rpc::RetryInfo retry;
    if (detail.UnpackTo(&retry)) {
      answer.headers.emplace_back(
          "Retry-After", absl::StrCat(retry.retry_delay().seconds() + 1));
    }
  }
  return answer;
}

HttpAnswer AnswerOf(const google::protobuf::MethodDescriptor& method,
                    const grpc::Status& status,
                    const std::vector<grpc::ByteBuffer>& answers) {
  if (!status.ok()) return AnswerOfError(status);
  const auto message = NewMessage(*method.output_type());
  std::string body = method.server_streaming() ? "[" : "";
  for (const grpc::ByteBuffer& bytes : answers) {
    const absl::Status parsed = ParseMessage(bytes, message.get());
    if (!parsed.ok()) return AnswerOfError(ToGrpcStatus(parsed));
    absl::StrAppend(&body, body.size() > 1 ? "," : "", ToJson(*message));
  }
  if (method.server_streaming()) body += "]";
  return JsonAnswer(200, std::move(body));
}

// A time such as "500m" of gRPC's header grpc-timeout: at most eight digits and
// H, M, S, m, u or n. Infinite for an empty text.
absl::StatusOr<absl::Duration> TimeLimitOf(std::string_view text) {
  if (text.empty()) return absl::InfiniteDuration();
  const absl::Status unreadable = absl::InvalidArgumentError(absl::StrCat(
      "grpc-timeout: ", Quoted(text),
      " is no time; write at most eight digits and H, M, S, m, u or n, such as "
      "500m for half a second"));
  int64_t number = 0;
  if (text.size() > 9 ||
      !absl::SimpleAtoi(absl::string_view(text.data(), text.size())
                            .substr(0, text.size() - 1),
                        &number) ||
      number < 0) {
    return unreadable;
  }
  switch (text.back()) {
    case 'H':
      return absl::Hours(number);
    case 'M':
      return absl::Minutes(number);
    case 'S':
      return absl::Seconds(number);
    case 'm':
      return absl::Milliseconds(number);
    case 'u':
      return absl::Microseconds(number);
    case 'n':
      return absl::Nanoseconds(number);
    default:
      return unreadable;
  }
}

absl::Status Parse(const HttpRule& rule, const HttpRequest& request,
                   Message* message) {
  if (rule.verb == "GET") return ParseQuery(request.query, message);
  if (!request.query.empty()) {
    return absl::InvalidArgumentError(
        "the fields belong in the body, not in the query");
  }
  return ParseJson(request.body, message);
}

// Whether gRPC takes the value of a header as metadata. It ends the process at
// values that it does not take.
bool IsMetadata(const std::string& value) {
  return std::ranges::all_of(
      value, [](unsigned char c) { return absl::ascii_isprint(c); });
}

absl::Status NotMetadata(const std::string& name) {
  return absl::InvalidArgumentError(
      absl::StrCat("the header ", name, " must be printable ASCII"));
}

// What a call and its canceller share: a request may be cancelled before its
// call begins.
class Cancellable {
 public:
  void Began(HttpCancel cancel) {
    MutexLock lock(&mutex_);
    cancel_ = std::move(cancel);
    if (cancelled_) cancel_();
  }
  void Cancel() {
    MutexLock lock(&mutex_);
    cancelled_ = true;
    if (cancel_ != nullptr) cancel_();
  }
  bool cancelled() const {
    MutexLock lock(&mutex_);
    return cancelled_;
  }

 private:
  mutable Mutex mutex_;
  HttpCancel cancel_ ABSL_GUARDED_BY(mutex_);
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

JsonApi::JsonApi(const std::shared_ptr<grpc::Channel>& channel,
                 const ListenerSecurity& security, std::string client_key)
    : security_(security),
      passed_on_(client_key.empty()
                     ? std::vector<std::string>{kTrace}
                     : std::vector<std::string>{kTrace, std::move(client_key)}),
      stub_(channel),
      workers_(kWorkers) {}

std::vector<HttpEndpoint> JsonApi::Endpoints(
    const std::vector<std::string>& services) {
  std::vector<HttpEndpoint> endpoints;
  for (const std::string& service : services) {
    for (const HttpRule& rule : HttpRulesOf(service)) {
      endpoints.push_back(EndpointOf(rule));
    }
  }
  return endpoints;
}

HttpEndpoint JsonApi::EndpointOf(const HttpRule& rule) {
  HttpEndpoint endpoint;
  endpoint.verb = rule.verb;
  endpoint.path = rule.path;
  if (rule.verb == "POST") {
    endpoint.most_body = kMaxReceiveBytes;
    // A page of another site cannot send this type without asking first.
    endpoint.body_type = "application/json";
  }
  endpoint.admit = [this, method = FullMethodName(*rule.method)](
                       const ShownCredentials& shown) {
    return CheckCaller(security_, method, shown);
  };
  endpoint.answer = [this, rule](HttpRequest request, HttpDone done) {
    return Answer(rule, std::move(request), std::move(done));
  };
  return endpoint;
}

absl::Status JsonApi::ReadMetadata(const HttpRequest& request,
                                   RelayedCall* call) const {
  for (const std::string& name :
       {std::string(kTokenHeader), std::string(kSubjectHeader)}) {
    if (!IsMetadata(request.Header(name))) return NotMetadata(name);
  }
  for (const std::string& name : passed_on_) {
    const std::string& value = request.Header(name);
    if (!IsMetadata(value)) return NotMetadata(name);
    if (!value.empty()) call->metadata.emplace_back(name, value);
  }
  return absl::OkStatus();
}

absl::Status JsonApi::Read(const HttpRule& rule, HttpRequest request,
                           absl::Time arrival, RelayedCall* call) const {
  SLICE_ASSIGN_OR_RETURN(const absl::Duration time_limit,
                         TimeLimitOf(request.Header("grpc-timeout")));
  call->deadline = arrival + time_limit;
  if (call->deadline <= absl::Now()) {
    return absl::DeadlineExceededError("the time of grpc-timeout is over");
  }
  const auto message = NewMessage(*rule.method->input_type());
  SLICE_RETURN_IF_ERROR(Parse(rule, request, message.get()));
  SLICE_RETURN_IF_ERROR(SerializeMessage(*message, &call->request));
  SLICE_RETURN_IF_ERROR(ReadMetadata(request, call));
  call->method = FullMethodName(*rule.method);
  call->caller = std::move(request.caller);
  call->hold = std::move(request.hold);
  return absl::OkStatus();
}

HttpCancel JsonApi::Answer(const HttpRule& rule, HttpRequest request,
                           HttpDone done) {
  const absl::Time arrival = absl::Now();
  auto cancellable = std::make_shared<Cancellable>();
  const std::string host = PeerHost(request.caller.peer);
  const size_t bytes = request.body.size() + request.query.size();
  const auto write = [this, host, method = rule.method, done](
                         const grpc::Status& status,
                         std::vector<grpc::ByteBuffer> answers) {
    size_t bytes = 0;
    for (const grpc::ByteBuffer& part : answers) bytes += part.Length();
    workers_.Run(host, kRequestCost + bytes,
                 [method, done, status, answers = std::move(answers)] {
                   done(AnswerOf(*method, status, answers));
                 });
  };
  workers_.Run(host, kRequestCost + bytes,
               [this, rule, request = std::move(request), arrival, done, write,
                cancellable]() mutable {
                 if (cancellable->cancelled()) {
                   return done(AnswerOfError(grpc::Status::CANCELLED));
                 }
                 RelayedCall call;
                 const absl::Status read =
                     Read(rule, std::move(request), arrival, &call);
                 if (!read.ok()) return done(AnswerOfError(ToGrpcStatus(read)));
                 cancellable->Began(Relay(stub_, std::move(call), write));
               });
  return [cancellable] { cancellable->Cancel(); };
}

}  // namespace slice
