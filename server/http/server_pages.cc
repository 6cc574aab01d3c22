#include "server/http/server_pages.h"

#include <string>

#include "server/http/open_api.h"

namespace slice {

HttpEndpoint MetricsEndpoint(const ListenerSecurity& security,
                             const ServerMetrics* metrics) {
  HttpEndpoint endpoint;
  endpoint.verb = "GET";
  endpoint.path = "/metrics";
  endpoint.admit = [security](const ShownCredentials& shown) {
    return CheckPage(security, Role::kMetrics, "/metrics", shown);
  };
  endpoint.answer = AnswerAtOnce([metrics](const HttpRequest&) {
    return HttpAnswer{
        .content_type = "text/plain; version=0.0.4; charset=utf-8",
        .body = metrics->Render(),
        .headers = {}};
  });
  return endpoint;
}

std::vector<HttpEndpoint> HealthEndpoints(const Readiness* readiness) {
  HttpEndpoint health, ready;
  health.verb = ready.verb = "GET";
  health.path = "/healthz";
  ready.path = "/readyz";
  health.admit = ready.admit = AdmitAll;
  health.answer = AnswerAtOnce(
      [](const HttpRequest&) { return PlainAnswer(200, "alive"); });
  ready.answer = AnswerAtOnce([readiness](const HttpRequest&) {
    return readiness->ready() ? PlainAnswer(200, "ready")
                              : PlainAnswer(503, "not ready");
  });
  return {health, ready};
}

HttpEndpoint OpenApiEndpoint(const std::vector<std::string>& services) {
  HttpEndpoint endpoint;
  endpoint.verb = "GET";
  endpoint.path = "/v1/openapi.json";
  endpoint.admit = AdmitAll;
  endpoint.answer = AnswerAtOnce(
      [answer = KeptAnswer("application/json", OpenApiDocument(services))](
          const HttpRequest&) { return answer; });
  return endpoint;
}

}  // namespace slice
