#include "server/transport/http_tls.h"

#include <openssl/x509v3.h>

#include <utility>

#include "common/openssl_types.h"

namespace slice {
namespace {

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

void ReadNames(const X509* certificate, HttpCaller* caller) {
  auto* const names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    int kind = 0;
    const void* const value =
        GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &kind);
    if (kind != GEN_URI && kind != GEN_DNS) continue;
    const auto* const text = static_cast<const ASN1_STRING*>(value);
    auto& into = kind == GEN_URI ? caller->uris : caller->dns_names;
    into.emplace_back(
        reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
        static_cast<size_t>(ASN1_STRING_length(text)));
  }
  GENERAL_NAMES_free(names);
}

}  // namespace

std::unique_ptr<boost::asio::ssl::context> NewTlsContext(
    const TlsCertificates* certificates) {
  if (certificates == nullptr) return nullptr;
  auto context = std::make_unique<boost::asio::ssl::context>(
      boost::asio::ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  // A resumed connection would keep the certificates of an earlier one.
  SSL_CTX_set_options(native, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_cert_cb(native, UseCertificates,
                      const_cast<TlsCertificates*>(certificates));
  SSL_CTX_set_verify(native, VerifyMode(certificates->options().client_auth),
                     nullptr);
  return context;
}

void ReadCertificate(const SSL* connection, HttpCaller* caller) {
  const Certificate certificate(SSL_get1_peer_certificate(connection));
  if (certificate == nullptr) return;
  ReadNames(certificate.get(), caller);
  const Bio pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(pem.get(), certificate.get());
  const char* bytes = nullptr;
  const auto size = BIO_get_mem_data(pem.get(), &bytes);
  caller->certificate.assign(bytes, static_cast<size_t>(size));
}

}  // namespace slice
