// The methods of gRPC as a JSON API: those with an annotation google.api.http,
// at the paths that it says.
#ifndef SLICE_SERVER_HTTP_JSON_API_H_
#define SLICE_SERVER_HTTP_JSON_API_H_

#include <grpcpp/channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <memory>
#include <string>
#include <vector>

#include "server/http/fair_workers.h"
#include "server/http/http_rules.h"
#include "server/transport/http_endpoint.h"
#include "server/transport/listener_credentials.h"

namespace slice {

// Thread-safe.
class JsonApi {
 public:
  // Calls over `channel`, which is in-process. What `security`, that of the
  // HTTP listener, points to must outlive the API.
  JsonApi(const std::shared_ptr<grpc::Channel>& channel,
          const ListenerSecurity& security);
  // The endpoints of these services ("slice.v1.GraphService"). They must not
  // outlive the API.
  std::vector<HttpEndpoint> Endpoints(const std::vector<std::string>& services);

 private:
  HttpEndpoint EndpointOf(const HttpRule& rule);
  HttpCancel Answer(const HttpRule& rule, HttpRequest request, HttpDone done);

  const ListenerSecurity security_;
  grpc::GenericStub stub_;
  FairWorkers workers_;  // read and write JSON
};

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_JSON_API_H_
