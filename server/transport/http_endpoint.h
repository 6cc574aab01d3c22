// What an HTTP listener is asked, and what it answers.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_ENDPOINT_H_
#define SLICE_SERVER_TRANSPORT_HTTP_ENDPOINT_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/access/shown_credentials.h"
#include "server/transport/http_caller.h"

namespace slice {

struct HttpRequest {
  std::string verb;   // "GET"; HEAD is asked as GET
  std::string path;   // "/v1/nodes"
  std::string query;  // what follows "?", as it was sent
  std::string body;
  std::map<std::string, std::string> headers;  // names in lower case
  HttpCaller caller;
  // Makes the memory that is counted for this request `bytes`, such as for an
  // answer that waits. False, changing nothing, when its host may not have
  // more. May be called on any thread, by one at a time, before the answer is
  // given.
  std::function<bool(size_t bytes)> hold = [](size_t) { return true; };

  // Empty without the header. `name` is in lower case.
  const std::string& Header(const std::string& name) const;
};

struct HttpAnswer {
  int status = 200;
  std::string content_type;
  std::string body;
  // Further headers. With an ETag, a caller that has this answer already gets
  // 304 instead.
  std::vector<std::pair<std::string, std::string>> headers;
};

// Gets the answer, once, on any thread.
using HttpDone = std::function<void(HttpAnswer answer)>;
// Ends the work for a request whose caller has gone. May be called on any
// thread, also when the answer is there.
using HttpCancel = std::function<void()>;

// One path that is answered, by one verb.
struct HttpEndpoint {
  std::string verb;      // "GET", which answers HEAD too, or "POST"
  std::string path;      // "/metrics"
  size_t most_body = 0;  // bytes of a request's body
  // Whether the caller may ask. It is called before the body is read.
  std::function<absl::Status(const ShownCredentials& shown)> admit;
  // Answers without blocking: long work goes to another thread. Thread-safe.
  std::function<HttpCancel(HttpRequest request, HttpDone done)> answer;
  // How the Content-Type of a request must begin; empty: any, or none.
  std::string body_type = {};
};

// The `answer` of an endpoint whose text is made at once.
std::function<HttpCancel(HttpRequest, HttpDone)> AnswerAtOnce(
    std::function<HttpAnswer(const HttpRequest&)> answer);

// The `admit` of an endpoint that asks for no credentials.
absl::Status AdmitAll(const ShownCredentials& shown);

// An answer that its caller keeps, and asks for again by its ETag.
HttpAnswer KeptAnswer(std::string content_type, std::string body);
// An answer of one line of plain text.
HttpAnswer PlainAnswer(int status, const std::string& text);
// An answer in JSON. With the status 401 it asks for a token.
HttpAnswer JsonAnswer(int status, std::string body);
// An error: a google.rpc.Status in JSON. The first has the HTTP status of the
// code.
HttpAnswer ErrorAnswer(const absl::Status& error);
HttpAnswer ErrorAnswer(int status, const absl::Status& error);
// Compresses the body, or leaves it out, where the header of `request` asks for
// that: Accept-Encoding, If-None-Match.
void FitToCaller(const HttpRequest& request, HttpAnswer* answer);
// The status for an error of gRPC, as Envoy's and Google's gateways have it
// (proto/google/rpc/code.proto).
int HttpStatusOf(absl::StatusCode code);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_ENDPOINT_H_
