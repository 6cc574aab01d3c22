// gRPC's C++ interface offers neither certificates that this process checks
// before they are used, nor a check of calls on plaintext listeners. Its C
// interface offers both:
//   FetchCertificates is asked at each handshake whether there is a new
//   certificate.
//   CheckCall is asked about each call, with its metadata.
#include "server/transport/listener_credentials.h"

#include <grpc/grpc_security.h>
#include <grpcpp/security/auth_context.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "common/status_macros.h"
#include "server/transport/relayed_caller.h"

namespace slice {
namespace {

constexpr char kUriProperty[] = "peer_uri";
constexpr char kDnsProperty[] = "peer_dns";

std::string_view View(const grpc_slice& slice) {
  return {reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(slice)),
          GRPC_SLICE_LENGTH(slice)};
}

// Calls take(value) for each property of the name.
template <typename Take>
void ForEachProperty(const grpc_auth_context* context, const char* name,
                     const Take& take) {
  grpc_auth_property_iterator found =
      grpc_auth_context_find_properties_by_name(context, name);
  while (const grpc_auth_property* one =
             grpc_auth_property_iterator_next(&found)) {
    take(std::string_view(one->value, one->value_length));
  }
}

// What gRPC's C credentials call. It lives as long as they do.
struct Listener {
  ListenerSecurity security;
  std::shared_ptr<const TlsMaterial> fetched;  // by the last handshake
};

// gRPC holds a lock while it asks.
grpc_ssl_certificate_config_reload_status FetchCertificates(
    void* of_listener, grpc_ssl_server_certificate_config** config) {
  auto& listener = *static_cast<Listener*>(of_listener);
  std::shared_ptr<const TlsMaterial> current =
      listener.security.certificates->Current();
  if (current == listener.fetched) {
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
  }
  const grpc_ssl_pem_key_cert_pair pair = {current->key.c_str(),
                                           current->cert.c_str()};
  // gRPC 1.51 wants authorities even where it asks for no client certificate.
  const std::string& ca =
      current->client_ca.empty() ? current->cert : current->client_ca;
  *config = grpc_ssl_server_certificate_config_create(ca.c_str(), &pair, 1);
  listener.fetched = std::move(current);
  return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
}

ShownCredentials Shown(const ListenerSecurity& security) {
  ShownCredentials shown;
  shown.local = security.local;
  shown.encrypted = security.certificates != nullptr;
  return shown;
}

ShownCredentials ShownBy(const ListenerSecurity& security,
                         const grpc_auth_context* context,
                         const grpc_metadata* metadata, size_t count) {
  ShownCredentials shown = Shown(security);
  for (size_t i = 0; i < count; ++i) {
    const std::string_view key = View(metadata[i].key);
    if (key == kTokenHeader) shown.authorization = View(metadata[i].value);
    if (key == kSubjectHeader) shown.subject = View(metadata[i].value);
  }
  if (!shown.encrypted) return shown;
  ForEachProperty(context, GRPC_X509_PEM_CERT_PROPERTY_NAME,
                  [&](auto value) { shown.certificate = value; });
  ForEachProperty(context, kUriProperty,
                  [&](auto value) { shown.uris.push_back(value); });
  ForEachProperty(context, kDnsProperty,
                  [&](auto value) { shown.dns_names.push_back(value); });
  return shown;
}

absl::Status CheckNotRevoked(const ListenerSecurity& security,
                             const ShownCredentials& shown) {
  if (shown.certificate.empty()) return absl::OkStatus();
  const auto revoked = security.certificates->Current()->revoked;
  if (revoked == nullptr || !revoked->Has(shown.certificate)) {
    return absl::OkStatus();
  }
  return absl::UnauthenticatedError(
      "the client's certificate was revoked by its authority");
}

void CheckCall(void* of_listener, grpc_auth_context* context,
               const grpc_metadata* metadata, size_t count,
               grpc_process_auth_metadata_done_cb done, void* data) {
  const ListenerSecurity& security =
      static_cast<Listener*>(of_listener)->security;
  std::string_view method;
  for (size_t i = 0; i < count; ++i) {
    if (View(metadata[i].key) == ":path") method = View(metadata[i].value);
  }
  const absl::Status status = CheckCaller(
      security, method, ShownBy(security, context, metadata, count));
  const std::string message(status.message());
  done(data, nullptr, 0, nullptr, 0,
       static_cast<grpc_status_code>(status.code()), message.c_str());
}

grpc_ssl_client_certificate_request_type RequestType(
    ClientCertificates certificates) {
  switch (certificates) {
    case ClientCertificates::kNone:
      return GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    case ClientCertificates::kRequest:
      return GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY;
    case ClientCertificates::kRequire:
      break;
  }
  return GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
}

grpc_server_credentials* NewCredentials(Listener* listener) {
  const TlsCertificates* const certificates = listener->security.certificates;
  if (certificates == nullptr) return grpc_insecure_server_credentials_create();
  return grpc_ssl_server_credentials_create_with_options(
      grpc_ssl_server_credentials_create_options_using_config_fetcher(
          RequestType(certificates->options().client_auth), FetchCertificates,
          listener));
}

class Credentials final : public grpc::ServerCredentials {
 public:
  explicit Credentials(const ListenerSecurity& security) {
    auto listener = std::make_unique<Listener>(Listener{security, nullptr});
    credentials_ = NewCredentials(listener.get());
    grpc_server_credentials_set_auth_metadata_processor(
        credentials_,
        {CheckCall, [](void* it) { delete static_cast<Listener*>(it); },
         listener.release()});
  }
  ~Credentials() override { grpc_server_credentials_release(credentials_); }

  // CheckCall is the only processor.
  void SetAuthMetadataProcessor(
      const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address,
                      grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  grpc_server_credentials* credentials_;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> ListenerCredentials(
    const ListenerSecurity& security) {
  return std::make_shared<Credentials>(security);
}

absl::Status CheckCaller(const ListenerSecurity& security,
                         std::string_view method,
                         const ShownCredentials& shown) {
  SLICE_RETURN_IF_ERROR(CheckNotRevoked(security, shown));
  return security.access->Check(method, shown);
}

absl::Status CheckPage(const ListenerSecurity& security, Role role,
                       std::string_view page, const ShownCredentials& shown) {
  SLICE_RETURN_IF_ERROR(CheckNotRevoked(security, shown));
  return security.access->CheckRole(role, page, shown);
}

ShownCredentials ShownBy(const grpc::ServerContextBase& context,
                         const ListenerSecurity& security) {
  if (auto relayed = RelayedCredentials(context)) return *std::move(relayed);
  ShownCredentials shown = Shown(security);
  const auto value_of = [&](const char* key) -> std::string_view {
    const auto found = context.client_metadata().find(key);
    if (found == context.client_metadata().end()) return {};
    return {found->second.data(), found->second.size()};
  };
  shown.authorization = value_of(kTokenHeader);
  shown.subject = value_of(kSubjectHeader);
  if (!shown.encrypted) return shown;
  const auto properties = [&](const char* name, const auto& take) {
    for (const grpc::string_ref& value :
         context.auth_context()->FindPropertyValues(name)) {
      take(std::string_view(value.data(), value.size()));
    }
  };
  properties(GRPC_X509_PEM_CERT_PROPERTY_NAME,
             [&](auto value) { shown.certificate = value; });
  properties(kUriProperty, [&](auto value) { shown.uris.push_back(value); });
  properties(kDnsProperty,
             [&](auto value) { shown.dns_names.push_back(value); });
  return shown;
}

}  // namespace slice
