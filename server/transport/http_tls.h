// TLS of the HTTP listeners, with certificates that may change.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_TLS_H_
#define SLICE_SERVER_TRANSPORT_HTTP_TLS_H_

#include <openssl/ssl.h>

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "server/transport/http_endpoint.h"
#include "server/transport/tls_certificates.h"

namespace slice {

// Null without certificates. Each connection gets those that are current when
// it begins. `certificates` must outlive the context.
std::unique_ptr<boost::asio::ssl::context> NewTlsContext(
    const TlsCertificates* certificates);

// Sets what the certificate of the other end, if there is one, says.
void ReadCertificate(const SSL* connection, HttpCaller* caller);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_TLS_H_
