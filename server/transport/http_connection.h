// A connection of an HTTP listener.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_CONNECTION_H_
#define SLICE_SERVER_TRANSPORT_HTTP_CONNECTION_H_

#include <memory>

#include "server/transport/http_connections.h"

namespace slice {

// Takes over the connected socket `descriptor`, and answers its requests.
void AnswerConnection(std::shared_ptr<HttpConnections> connections,
                      int descriptor);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_CONNECTION_H_
