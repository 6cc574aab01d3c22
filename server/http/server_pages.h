// The pages of a server beside its API: /metrics, /healthz, /readyz, and what
// the API is.
#ifndef SLICE_SERVER_HTTP_SERVER_PAGES_H_
#define SLICE_SERVER_HTTP_SERVER_PAGES_H_

#include <string>
#include <vector>

#include "server/readiness.h"
#include "server/server_metrics.h"
#include "server/transport/http_endpoint.h"
#include "server/transport/listener_credentials.h"

namespace slice {

// "/metrics" of Prometheus, for callers with the role metrics. What `security`
// points to and `metrics` must outlive the endpoint.
HttpEndpoint MetricsEndpoint(const ListenerSecurity& security,
                             const ServerMetrics* metrics);

// For probes, without credentials. "/healthz" answers 200 as long as the
// process answers; "/readyz" 200 when requests are welcome, else 503.
std::vector<HttpEndpoint> HealthEndpoints(const Readiness* readiness);

// "/v1/openapi.json": the paths of these services. It needs no credentials; the
// contract is no secret.
HttpEndpoint OpenApiEndpoint(const std::vector<std::string>& services);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_SERVER_PAGES_H_
