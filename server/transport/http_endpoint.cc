#include "server/transport/http_endpoint.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/gzip.h"
#include "common/sha256.h"

namespace slice {
namespace {

constexpr size_t kLeastPacked = 1 << 10;  // shorter answers are not compressed

bool MayPack(const HttpRequest& request, const HttpAnswer& answer) {
  return answer.body.size() >= kLeastPacked &&
         absl::StrContains(request.Header("accept-encoding"), "gzip") &&
         !absl::StartsWith(answer.content_type, "image/png") &&
         !absl::StartsWith(answer.content_type, "font/");
}

bool HasAlready(const HttpRequest& request, const HttpAnswer& answer) {
  return std::ranges::any_of(answer.headers, [&](const auto& header) {
    return header.first == "ETag" &&
           absl::StrContains(request.Header("if-none-match"), header.second);
  });
}

}  // namespace

const std::string& HttpRequest::Header(const std::string& name) const {
  static const auto* const nothing = new std::string();
  const auto found = headers.find(name);
  return found == headers.end() ? *nothing : found->second;
}

absl::Status AdmitAll(const ShownCredentials&) { return absl::OkStatus(); }

HttpAnswer KeptAnswer(std::string content_type, std::string body) {
  const std::string etag =
      absl::StrCat("\"", Sha256Bytes(body).substr(0, 16), "\"");
  return {.content_type = std::move(content_type),
          .body = std::move(body),
          .headers = {{"ETag", etag}, {"Cache-Control", "no-cache"}}};
}

std::function<HttpCancel(HttpRequest, HttpDone)> AnswerAtOnce(
    std::function<HttpAnswer(const HttpRequest&)> answer) {
  return [answer = std::move(answer)](const HttpRequest& request,
                                      const HttpDone& done) {
    done(answer(request));
    return HttpCancel();
  };
}

HttpAnswer PlainAnswer(int status, const std::string& text) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = absl::StrCat(text, "\n"),
          .headers = {}};
}

HttpAnswer JsonAnswer(int status, std::string body) {
  HttpAnswer answer = {.status = status,
                       .content_type = "application/json",
                       .body = std::move(body),
                       .headers = {}};
  if (status == 401) {
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  return answer;
}

HttpAnswer ErrorAnswer(const absl::Status& error) {
  return ErrorAnswer(HttpStatusOf(error.code()), error);
}

HttpAnswer ErrorAnswer(int status, const absl::Status& error) {
  const nlohmann::json json = {{"code", error.raw_code()},
                               {"message", std::string(error.message())},
                               {"details", nlohmann::json::array()}};
  return JsonAnswer(
      status,
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void FitToCaller(const HttpRequest& request, HttpAnswer* answer) {
  if (answer->status == 200 && HasAlready(request, *answer)) {
    answer->status = 304;
    answer->body.clear();
  } else if (MayPack(request, *answer)) {
    answer->body = Gzip(answer->body);
    answer->headers.emplace_back("Content-Encoding", "gzip");
    answer->headers.emplace_back("Vary", "Accept-Encoding");
  }
}

int HttpStatusOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return 200;
    case absl::StatusCode::kCancelled:
      return 499;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
      return 400;
    case absl::StatusCode::kDeadlineExceeded:
      return 504;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kAborted:
      return 409;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kResourceExhausted:
      return 429;
    case absl::StatusCode::kUnimplemented:
      return 501;
    case absl::StatusCode::kUnavailable:
      return 503;
    case absl::StatusCode::kUnauthenticated:
      return 401;
    default:
      return 500;
  }
}

}  // namespace slice
