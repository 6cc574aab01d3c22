// The methods of gRPC as a JSON API: those with an annotation google.api.http,
// at the paths that it says.
#ifndef SLICE_SERVER_HTTP_JSON_API_H_
#define SLICE_SERVER_HTTP_JSON_API_H_

#include <grpcpp/channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "server/http/fair_workers.h"
#include "server/http/http_rules.h"
#include "server/http/relayed_call.h"
#include "server/transport/http_endpoint.h"
#include "server/transport/listener_credentials.h"

namespace slice {

// Thread-safe.
class JsonApi {
 public:
  // Calls over `channel`, which is in-process. What `security`, that of the
  // HTTP listener, points to must outlive the API. The header `client_key`, in
  // lower case, names the client as in gRPC; empty: none does.
  JsonApi(const std::shared_ptr<grpc::Channel>& channel,
          const ListenerSecurity& security, std::string client_key);

  // The endpoints of these services ("slice.v1.GraphService"). They must not
  // outlive the API.
  std::vector<HttpEndpoint> Endpoints(const std::vector<std::string>& services);

 private:
  HttpEndpoint EndpointOf(const HttpRule& rule);
  HttpCancel Answer(const HttpRule& rule, HttpRequest request, HttpDone done);
  // The call that a request which came at `arrival` becomes. INVALID_ARGUMENT,
  // naming the field or the header, for what cannot be one; DEADLINE_EXCEEDED
  // when its time is over.
  absl::Status Read(const HttpRule& rule, HttpRequest request,
                    absl::Time arrival, RelayedCall* call) const;
  // Checks the headers that become metadata, and takes those of them that are
  // not of the caller.
  absl::Status ReadMetadata(const HttpRequest& request,
                            RelayedCall* call) const;

  const ListenerSecurity security_;
  const std::vector<std::string> passed_on_;  // headers that become metadata
  grpc::GenericStub stub_;
  FairWorkers workers_;  // read and write JSON
};

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_JSON_API_H_
