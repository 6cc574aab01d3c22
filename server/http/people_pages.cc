#include "server/http/people_pages.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/page/markup.h"
#include "server/http/query_fields.h"
#include "slice/v1/link_prediction.pb.h"

// The bytes of the files that the build makes of server/page/
// (cmake/SliceEmbed.cmake).
extern "C" const char slice_page_html_begin[], slice_page_html_end[],
    slice_page_js_begin[], slice_page_js_end[], slice_page_css_begin[],
    slice_page_css_end[], slice_page_icon_begin[], slice_page_icon_end[];

namespace slice {
namespace {

// No script, style or request of another site, none within the markup, and no
// other site may show the page in a frame. Referrer-Policy keeps the page's
// addresses, which name nodes, from other sites.
constexpr char kPagePolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'";
// A report has no script, and its styles are within it.
constexpr char kReportPolicy[] =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox";

HttpAnswer PageAnswer(const std::string& content_type, std::string body,
                      const char* policy) {
  HttpAnswer answer = KeptAnswer(content_type, std::move(body));
  answer.headers.emplace_back("Content-Security-Policy", policy);
  answer.headers.emplace_back("Referrer-Policy", "no-referrer");
  return answer;
}

HttpEndpoint FileEndpoint(const std::string& path,
                          const std::string& content_type,
                          const std::string& body) {
  HttpEndpoint endpoint;
  endpoint.verb = "GET";
  endpoint.path = path;
  endpoint.admit = AdmitAll;
  endpoint.answer =
      AnswerAtOnce([answer = PageAnswer(content_type, body, kPagePolicy)](
                       const HttpRequest&) { return answer; });
  return endpoint;
}

// What server/page/parts/copy_as.ts tells apart: a port is of digits alone.
std::string PortOrPath(const std::string& grpc_address) {
  constexpr absl::string_view kUnix = "unix:";
  if (!absl::StartsWith(grpc_address, kUnix)) {
    return grpc_address.substr(grpc_address.rfind(':') + 1);
  }
  const std::string path = grpc_address.substr(kUnix.size());
  return EscapeMarkup(absl::StrContains(path, '/') ? path
                                                   : absl::StrCat("./", path));
}

}  // namespace

std::vector<HttpEndpoint> PageEndpoints(const std::string& grpc_address) {
  const std::string html = absl::StrReplaceAll(
      std::string(slice_page_html_begin, slice_page_html_end),
      {{"@GRPC_PORT@", PortOrPath(grpc_address)}});
  std::vector<HttpEndpoint> endpoints;
  // The views of server/page/place.ts.
  for (const char* view :
       {"/", "/find", "/ask", "/why", "/what-if", "/model"}) {
    endpoints.push_back(FileEndpoint(view, "text/html; charset=utf-8", html));
  }
  const auto add_file = [&endpoints](const char* path, const char* type,
                                     const char* begin, const char* end) {
    endpoints.push_back(FileEndpoint(path, type, std::string(begin, end)));
  };
  add_file("/assets/page.js", "text/javascript; charset=utf-8",
           slice_page_js_begin, slice_page_js_end);
  add_file("/assets/page.css", "text/css; charset=utf-8", slice_page_css_begin,
           slice_page_css_end);
  add_file("/assets/icon.svg", "image/svg+xml", slice_page_icon_begin,
           slice_page_icon_end);
  return endpoints;
}

HttpEndpoint ReportEndpoint(const ListenerSecurity& security,
                            ReportFor report) {
  HttpEndpoint endpoint;
  endpoint.verb = "GET";
  endpoint.path = "/report";
  endpoint.admit = [security](const ShownCredentials& shown) {
    return CheckCaller(security, "/slice.v1.LinkPredictionService/GetModelInfo",
                       shown);
  };
  endpoint.answer =
      AnswerAtOnce([report = std::move(report)](const HttpRequest& request) {
        v1::GetModelInfoRequest asked;
        const absl::Status parsed = ParseQuery(request.query, &asked);
        if (!parsed.ok()) return ErrorAnswer(parsed);
        auto text = report(request.caller, asked.model());
        if (!text.ok()) return ErrorAnswer(text.status());
        return PageAnswer("text/html; charset=utf-8", *std::move(text),
                          kReportPolicy);
      });
  return endpoint;
}

}  // namespace slice
