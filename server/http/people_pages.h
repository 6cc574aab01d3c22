// The pages for people: the page of the server (server/page/) and the report of
// a model's training.
#ifndef SLICE_SERVER_HTTP_PEOPLE_PAGES_H_
#define SLICE_SERVER_HTTP_PEOPLE_PAGES_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/transport/http_endpoint.h"
#include "server/transport/listener_credentials.h"

namespace slice {

// The views of the page and the files that they load. They need no
// credentials: all that they show comes from the JSON API. The page says in its
// commands that gRPC listens at the port of `grpc_address`, "HOST:PORT", or at
// its socket, "unix:PATH".
std::vector<HttpEndpoint> PageEndpoints(const std::string& grpc_address);

// The report of the model `name`; empty = the default model. As
// ServiceCore::ReportFor.
using ReportFor = std::function<absl::StatusOr<std::string>(
    const HttpCaller& caller, const std::string& name)>;

// "/report?model=NAME", for callers who may call GetModelInfo. What `security`
// points to and what `report` uses must outlive the endpoint.
HttpEndpoint ReportEndpoint(const ListenerSecurity& security, ReportFor report);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_PEOPLE_PAGES_H_
