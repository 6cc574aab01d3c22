// A connection goes through these states, one request after the other:
//   1. the handshake of TLS, if there is TLS
//   2. the header is read; what can be refused by it is refused unread
//   3. the body is read
//   4. the endpoint answers; a DepartureWatch looks whether its caller leaves
//   5. the answer is written; then 2 again, or the connection is closed
// Each state but the fourth has a time limit, after which the connection is
// closed. Boost.Beast bounds the header and the body.
#include "server/transport/http_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "server/transport/departure_watch.h"
#include "server/transport/http_tls.h"
#include "server/transport/peer_address.h"

namespace slice {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Error = beast::error_code;
using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

constexpr uint32_t kMostHeaderBytes = 16 << 10;
// Beast 1.74 takes boost::none for a limit of no bytes.
constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
// What a request takes beside its body.
constexpr size_t kRequestBytes = 32 << 10;
// For a handshake, and for the header of the next request.
constexpr auto kHeaderTime = std::chrono::seconds(15);
constexpr auto kBodyTime = std::chrono::seconds(30);
constexpr auto kWriteTime = std::chrono::seconds(30);
// How long an other end may go on sending what nobody reads.
constexpr auto kLingerTime = std::chrono::seconds(2);
constexpr size_t kMostLinger = 8 << 20;  // bytes, or a part of them

absl::string_view View(beast::string_view text) {
  return {text.data(), text.size()};
}

std::string PeerOf(const tcp::socket& socket) {
  Error error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return "";
  const std::string host = peer.address().to_string();
  return peer.address().is_v6()
             ? absl::StrCat("ipv6:[", host, "]:", peer.port())
             : absl::StrCat("ipv4:", host, ":", peer.port());
}

template <typename Stream>
class Connection final
    : public HttpConnection,
      public std::enable_shared_from_this<Connection<Stream>> {
  static constexpr bool kTls = std::is_same_v<Stream, TlsStream>;

 public:
  template <typename... Tls>
  Connection(std::shared_ptr<HttpConnections> shared, tcp::socket socket,
             Tls&... tls)
      : shared_(std::move(shared)),
        peer_(PeerOf(socket)),
        stream_(std::move(socket), tls...) {
    shared_->open.insert(this);
  }
  ~Connection() override { shared_->open.erase(this); }

  void Start() {
    Tcp().expires_after(kHeaderTime);
    if constexpr (kTls) {
      stream_.async_handshake(asio::ssl::stream_base::server,
                              On([this](Error error) {
                                if (!error) ReadHeader();
                              }));
    } else {
      ReadHeader();
    }
  }

  void Finish() override {
    keep_alive_ = false;
    if (state_ == State::kIdle) Tcp().close();
  }

 private:
  enum class State { kIdle, kReading, kAnswering, kWriting };

  beast::tcp_stream& Tcp() { return beast::get_lowest_layer(stream_); }

  // `handle` as a handler that keeps the connection alive.
  template <typename Handle>
  auto On(Handle handle) {
    return [self = this->shared_from_this(), handle = std::move(handle)](
               Error error, auto&&...) { handle(error); };
  }

  void ReadHeader() {
    if (shared_->finishing) return Close();
    state_ = State::kIdle;
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    parser_->body_limit(kNoLimit);  // until the endpoint is known
    Tcp().expires_after(kHeaderTime);
    http::async_read_header(stream_, buffer_, *parser_,
                            On([this](Error error) { OnHeader(error); }));
  }

  void OnHeader(Error error) {
    if (error == http::error::end_of_stream) return Close();
    if (error) {
      if (error.category() !=
          http::make_error_code(http::error::bad_method).category()) {
        return;  // the connection is broken, or took too long
      }
      return Refuse(ErrorAnswer(error == http::error::header_limit ? 431 : 400,
                                absl::InvalidArgumentError(error.message())));
    }
    state_ = State::kReading;
    keep_alive_ = parser_->get().keep_alive();
    TakeHeader();
    if (auto refusal = WhyNot(); refusal.has_value()) {
      return Refuse(*std::move(refusal));
    }
    parser_->body_limit(endpoint_->most_body);
    if (!absl::EqualsIgnoreCase(request_.Header("expect"), "100-continue")) {
      return ReadBody();
    }
    Tcp().expires_after(kBodyTime);
    continue_ = {http::status::continue_, 11};
    http::async_write(stream_, continue_, On([this](Error failed) {
                        if (!failed) ReadBody();
                      }));
  }

  void TakeHeader() {
    const auto& header = parser_->get();
    request_ = HttpRequest();
    is_head_ = header.method() == http::verb::head;
    request_.verb =
        is_head_ ? "GET" : std::string(View(header.method_string()));
    const absl::string_view target = View(header.target());
    const size_t mark = target.find('?');
    request_.path = std::string(target.substr(0, mark));
    if (mark != absl::string_view::npos) {
      request_.query = std::string(target.substr(mark + 1));
    }
    for (const auto& field : header) {
      auto& value =
          request_.headers[absl::AsciiStrToLower(View(field.name_string()))];
      absl::StrAppend(&value, value.empty() ? "" : ", ", View(field.value()));
    }
    request_.caller.peer = peer_;
    request_.caller.local = shared_->security.local;
    request_.caller.encrypted = kTls;
    request_.caller.authorization = request_.Header(kTokenHeader);
    request_.caller.subject = request_.Header(kSubjectHeader);
    if constexpr (kTls) {
      ReadCertificate(stream_.native_handle(), &request_.caller);
    }
  }

  // Why the request is refused before its body is read.
  std::optional<HttpAnswer> WhyNot() {
    endpoint_ = shared_->Find(request_.verb, request_.path);
    if (endpoint_ == nullptr) {
      const std::string verbs = shared_->VerbsOf(request_.path);
      if (verbs.empty())
        return ErrorAnswer(absl::NotFoundError(
            absl::StrCat("there is no path ", Quoted(request_.path))));
      HttpAnswer answer = ErrorAnswer(
          405,
          absl::UnimplementedError(absl::StrCat("this path answers ", verbs)));
      answer.headers.emplace_back("Allow", verbs);
      return answer;
    }
    if (shared_->security.local && !IsLoopbackName(request_.Header("host"))) {
      return ErrorAnswer(421, absl::PermissionDeniedError(absl::StrCat(
                                  "this server answers to localhost, not to ",
                                  Quoted(request_.Header("host")))));
    }
    const absl::Status admitted = endpoint_->admit(request_.caller.Shown());
    if (!admitted.ok()) return ErrorAnswer(admitted);
    if (parser_->chunked()) {
      return ErrorAnswer(
          411, absl::InvalidArgumentError("a body needs a Content-Length"));
    }
    const std::string& encoding = request_.Header("content-encoding");
    if (!encoding.empty() && encoding != "identity") {
      return ErrorAnswer(
          415, absl::InvalidArgumentError("a body must not be compressed"));
    }
    if (!absl::StartsWithIgnoreCase(request_.Header("content-type"),
                                    endpoint_->body_type)) {
      return ErrorAnswer(415, absl::InvalidArgumentError(absl::StrCat(
                                  "the body must have the Content-Type ",
                                  endpoint_->body_type)));
    }
    const uint64_t bytes = parser_->content_length().value_or(0);
    if (bytes > endpoint_->most_body) {
      return ErrorAnswer(
          413, absl::ResourceExhaustedError(absl::StrCat(
                   "a body has at most ", endpoint_->most_body, " bytes")));
    }
    memory_ = shared_->memory.Take(PeerHost(peer_), bytes + kRequestBytes);
    if (memory_ != nullptr) return std::nullopt;
    HttpAnswer answer = ErrorAnswer(
        503, absl::ResourceExhaustedError(
                 "requests of this host hold too much memory; try again"));
    answer.headers.emplace_back("Retry-After", "1");
    return answer;
  }

  // Answers without reading the body, and ends the connection if there is one.
  void Refuse(HttpAnswer answer) {
    const bool has_body =
        parser_->chunked() || parser_->content_length().value_or(0) > 0;
    if (has_body || !parser_->is_header_done()) keep_alive_ = false;
    FitToCaller(request_, &answer);
    Write(std::move(answer));
  }

  void ReadBody() {
    Tcp().expires_after(kBodyTime);
    http::async_read(stream_, buffer_, *parser_, On([this](Error error) {
                       if (!error) Answer();
                     }));
  }

  void Answer() {
    state_ = State::kAnswering;
    request_.body = std::move(parser_->get().body());
    Tcp().expires_never();
    watch_.Start([self = this->shared_from_this()] {
      if (self->cancel_ != nullptr) self->cancel_();
    });
    // What the answer is made to fit, because the endpoint gets the rest.
    HttpRequest asked;
    asked.headers = request_.headers;
    HttpRequest request = std::move(request_);
    request.hold = [self = this->shared_from_this()](size_t bytes) {
      return self->memory_->Resize(std::max(bytes, kRequestBytes));
    };
    cancel_ = endpoint_->answer(
        std::move(request),
        [self = this->shared_from_this(), asked = std::move(asked),
         work = asio::make_work_guard(shared_->io)](HttpAnswer answer) {
          if (self->shared_->io.stopped()) return;
          FitToCaller(asked, &answer);
          self->HoldAnswer(&answer);
          asio::post(self->shared_->io,
                     [self, answer = std::move(answer)]() mutable {
                       self->OnAnswer(std::move(answer));
                     });
        });
  }

  // On the thread that gives the answer, so that no answer waits uncounted.
  void HoldAnswer(HttpAnswer* answer) {
    if (memory_->Resize(answer->body.size())) return;
    *answer = ErrorAnswer(503, absl::ResourceExhaustedError(
                                   "this host does not read its answers"));
  }

  void OnAnswer(HttpAnswer answer) {
    cancel_ = nullptr;
    watch_.Stop();
    Write(std::move(answer));
  }

  void Write(HttpAnswer answer) {
    state_ = State::kWriting;
    response_ = {};
    response_.version(11);
    response_.result(static_cast<unsigned>(answer.status));
    if (!answer.content_type.empty()) {
      response_.set(http::field::content_type, answer.content_type);
    }
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : answer.headers) response_.set(name, value);
    if (shared_->finishing) keep_alive_ = false;
    response_.keep_alive(keep_alive_);
    if (answer.status != 304) response_.content_length(answer.body.size());
    if (!is_head_) response_.body() = std::move(answer.body);
    Tcp().expires_after(kWriteTime);
    http::async_write(stream_, response_, On([this](Error error) {
                        memory_.reset();
                        if (error) return;
                        if (keep_alive_) return ReadHeader();
                        Close();
                      }));
  }

  // So that the other end gets the answer although it still sends.
  void Close() {
    Tcp().expires_after(kLingerTime);
    if constexpr (kTls) {
      stream_.async_shutdown(On([this](Error) { Linger(); }));
    } else {
      Linger();
    }
  }

  void Linger() {
    Error error;
    Tcp().socket().shutdown(tcp::socket::shutdown_send, error);
    ReadOn();
  }

  void ReadOn() {
    if (lingered_ >= kMostLinger) return;
    lingered_ += sizeof(unread_);
    Tcp().async_read_some(asio::buffer(unread_), On([this](Error error) {
                            if (!error) ReadOn();
                          }));
  }

  const std::shared_ptr<HttpConnections> shared_;
  const std::string peer_;
  Stream stream_;
  DepartureWatch watch_{Tcp().socket()};
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::empty_body> continue_;
  http::response<http::string_body> response_;
  char unread_[4096];
  size_t lingered_ = 0;

  State state_ = State::kIdle;
  HttpRequest request_;
  const HttpEndpoint* endpoint_ = nullptr;
  std::unique_ptr<MemoryShares::Share> memory_;  // of the request or answer
  HttpCancel cancel_;
  bool keep_alive_ = true;
  bool is_head_ = false;
};

// The last to hold a connection may be the thread that answered, but what its
// end changes belongs to the thread of `io`.
template <typename Stream, typename... Tls>
void StartConnection(std::shared_ptr<HttpConnections> shared,
                     tcp::socket socket, Tls&... tls) {
  using Answered = Connection<Stream>;
  const auto end = [&io = shared->io](Answered* connection) {
    std::unique_ptr<Answered> owned(connection);
    if (!io.stopped()) asio::dispatch(io, [owned = std::move(owned)] {});
  };
  std::shared_ptr<Answered>(
      new Answered(std::move(shared), std::move(socket), tls...), end)
      ->Start();
}

}  // namespace

void AnswerConnection(std::shared_ptr<HttpConnections> connections,
                      int descriptor) {
  asio::io_context& io = connections->io;
  asio::post(io, [connections = std::move(connections), descriptor]() mutable {
    tcp::socket socket(connections->io);
    sockaddr_storage own = {};
    socklen_t size = sizeof(own);
    getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size);
    Error error;
    socket.assign(own.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), descriptor,
                  error);
    if (error) return;
    socket.set_option(tcp::no_delay(true), error);
    if (connections->tls == nullptr) {
      StartConnection<PlainStream>(std::move(connections), std::move(socket));
    } else {
      auto& tls = *connections->tls;
      StartConnection<TlsStream>(std::move(connections), std::move(socket),
                                 tls);
    }
  });
}

}  // namespace slice
