// cpp-httplib answers. Each connection has a thread of kThreads for as long as
// it takes; further ones wait in a short queue, then in the kernel's.
#include "server/transport/http_listener.h"

#include <httplib.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <semaphore>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/openssl_types.h"
#include "server/transport/request_bounds.h"

namespace slice {
namespace {

constexpr size_t kThreads = 8;
constexpr int kMostWaiting = 16;  // connections that are accepted
// A caller that sends half of a request keeps a thread for this long.
constexpr int kTimeoutSeconds = 2;

// Takes connections in only as fast as they are answered.
class Threads final : public httplib::ThreadPool {
 public:
  explicit Threads(uint16_t port)
      : httplib::ThreadPool(kThreads), port_(port) {}

  void enqueue(std::function<void()> answer) override {
    room_.acquire();
    bounds_.WatchNew(port_);
    httplib::ThreadPool::enqueue([this, answer = std::move(answer)] {
      answer();
      room_.release();
    });
  }

 private:
  std::counting_semaphore<kThreads + kMostWaiting> room_{kThreads +
                                                         kMostWaiting};
  const uint16_t port_;
  RequestBounds bounds_;
};

using Store = std::unique_ptr<X509_STORE, OpenSslFree<X509_STORE_free>>;

// Gives a connection the certificates that are current now.
int UseCertificates(SSL* ssl, void* of_listener) {
  const auto material =
      static_cast<const TlsCertificates*>(of_listener)->Current();
  bool is_own = true;
  ForEachCertificate(material->cert, [&](X509* certificate) {
    if (std::exchange(is_own, false)) {
      SSL_use_certificate(ssl, certificate);
    } else {
      SSL_add1_chain_cert(ssl, certificate);
    }
  });
  const PrivateKey key(PEM_read_bio_PrivateKey(ReaderOf(material->key).get(),
                                               nullptr, nullptr, nullptr));
  SSL_use_PrivateKey(ssl, key.get());
  const Store authorities(X509_STORE_new());
  ForEachCertificate(material->client_ca, [&](X509* certificate) {
    X509_STORE_add_cert(authorities.get(), certificate);
  });
  SSL_set1_verify_cert_store(ssl, authorities.get());
  return 1;
}

int VerifyMode(ClientCertificates certificates) {
  switch (certificates) {
    case ClientCertificates::kNone:
      return SSL_VERIFY_NONE;
    case ClientCertificates::kRequest:
      return SSL_VERIFY_PEER;
    case ClientCertificates::kRequire:
      break;
  }
  return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
}

std::unique_ptr<httplib::Server> NewServer(
    const TlsCertificates* certificates) {
  if (certificates == nullptr) return std::make_unique<httplib::Server>();
  const auto set_up = [certificates](SSL_CTX& context) {
    SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION);
    SSL_CTX_set_cert_cb(&context, UseCertificates,
                        const_cast<TlsCertificates*>(certificates));
    SSL_CTX_set_verify(
        &context, VerifyMode(certificates->options().client_auth), nullptr);
    return true;
  };
  return std::make_unique<httplib::SSLServer>(set_up);
}

// What a caller shows, with the texts of its certificate.
struct HttpCredentials {
  std::string certificate, token, subject, peer;
  std::vector<std::string> uris, dns_names;

  ShownCredentials Shown(const ListenerSecurity& security) const {
    ShownCredentials shown;
    shown.local = security.local;
    shown.encrypted = security.certificates != nullptr;
    shown.peer = peer;
    shown.certificate = certificate;
    shown.uris.assign(uris.begin(), uris.end());
    shown.dns_names.assign(dns_names.begin(), dns_names.end());
    shown.authorization = token;
    shown.subject = subject;
    return shown;
  }
};

void ReadNames(const X509* certificate, HttpCredentials* credentials) {
  auto* const names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    int kind = 0;
    const void* const value =
        GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &kind);
    if (kind != GEN_URI && kind != GEN_DNS) continue;
    const auto* const text = static_cast<const ASN1_STRING*>(value);
    auto& into = kind == GEN_URI ? credentials->uris : credentials->dns_names;
    into.emplace_back(
        reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
        static_cast<size_t>(ASN1_STRING_length(text)));
  }
  GENERAL_NAMES_free(names);
}

HttpCredentials CredentialsOf(const httplib::Request& request) {
  HttpCredentials credentials;
  credentials.token = request.get_header_value("Authorization");
  credentials.subject = request.get_header_value(kSubjectHeader);
  credentials.peer =
      absl::StrCat(request.remote_addr, " port ", request.remote_port);
  if (request.ssl == nullptr) return credentials;
  const Certificate certificate(SSL_get1_peer_certificate(request.ssl));
  if (certificate == nullptr) return credentials;
  ReadNames(certificate.get(), &credentials);
  const Bio pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(pem.get(), certificate.get());
  const char* bytes = nullptr;
  const auto size = BIO_get_mem_data(pem.get(), &bytes);
  credentials.certificate.assign(bytes, static_cast<size_t>(size));
  return credentials;
}

// Refuses what cpp-httplib would do before a page is asked: inflate a body
// without a bound (CVE-2026-22776), and answer one short request for many
// ranges with the page many times over.
httplib::Server::HandlerResponse RefuseOthers(const httplib::Request& request,
                                              httplib::Response& response) {
  using Result = httplib::Server::HandlerResponse;
  if (request.method != "GET" && request.method != "HEAD") {
    response.status = 404;
    return Result::Handled;
  }
  if (!request.ranges.empty()) {
    response.status = 416;
    return Result::Handled;
  }
  return Result::Unhandled;
}

void Answer(const ListenerSecurity& security, const HttpPage& page,
            const httplib::Request& request, httplib::Response& response) {
  const HttpCredentials credentials = CredentialsOf(request);
  const absl::Status status =
      CheckPage(security, page.role, page.path, credentials.Shown(security));
  if (status.ok()) {
    response.set_content(page.text(), page.content_type);
    return;
  }
  response.status = absl::IsUnauthenticated(status) ? 401 : 403;
  if (response.status == 401) {
    response.set_header("WWW-Authenticate", "Bearer");
  }
  response.set_content(std::string(status.message()) + "\n", "text/plain");
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpListener>> HttpListener::Listen(
    const std::string& address, const ListenerSecurity& security,
    HttpPage page) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  int port = 0;
  if (colon == std::string::npos ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", address, "' is not HOST:PORT"));
  }
  if (host.starts_with("[") && host.ends_with("]")) {
    host = host.substr(1, host.size() - 2);
  }
  std::unique_ptr<HttpListener> listener(new HttpListener());
  listener->server_ = NewServer(security.certificates);
  httplib::Server& server = *listener->server_;
  server.set_read_timeout(kTimeoutSeconds);
  server.set_write_timeout(kTimeoutSeconds);
  server.set_keep_alive_timeout(kTimeoutSeconds);
  server.set_payload_max_length(0);
  server.set_pre_routing_handler(RefuseOthers);
  // The library's default lets a second server listen on the same port.
  server.set_socket_options([](int socket) {
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  });
  if (port == 0) {
    port = server.bind_to_any_port(host);
  } else if (!server.bind_to_port(host, port)) {
    port = -1;
  }
  if (port < 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen on ", address,
                     ": the address is in use or does not belong to this "
                     "host; give another one (port 0: any free port)"));
  }
  listener->address_ = absl::StrCat(address.substr(0, colon + 1), port);
  server.new_task_queue = [port] {
    return new Threads(static_cast<uint16_t>(port));
  };
  const std::string path = page.path;
  server.Get(path,
             [security, page = std::move(page)](const httplib::Request& request,
                                                httplib::Response& response) {
               Answer(security, page, request, response);
             });
  listener->thread_ = std::thread([one = listener.get()] {
    if (!one->server_->listen_after_bind()) {
      LogError("%s is not answered any more: its socket failed", one->address_);
    }
    one->ended_ = true;
  });
  return listener;
}

HttpListener::~HttpListener() {
  if (!thread_.joinable()) return;
  // The library forgets a stop that comes before the thread listens.
  while (!server_->is_running() && !ended_) std::this_thread::yield();
  server_->stop();
  thread_.join();
}

}  // namespace slice
