// Messages of the wire contract as queries of a URL.
#ifndef SLICE_SERVER_HTTP_QUERY_FIELDS_H_
#define SLICE_SERVER_HTTP_QUERY_FIELDS_H_

#include <google/protobuf/message.h>

#include <string_view>

#include "absl/status/status.h"

namespace slice {

// Reads a query such as "node.key=curl&page_size=5" into an empty message.
// INVALID_ARGUMENT, naming the field, for an unknown field, a value that does
// not fit its type, and a field that comes twice.
absl::Status ParseQuery(std::string_view query,
                        google::protobuf::Message* message);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_QUERY_FIELDS_H_
