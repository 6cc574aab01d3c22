// The JSON API as a document of OpenAPI 3.0, made from the wire contract.
#ifndef SLICE_SERVER_HTTP_OPEN_API_H_
#define SLICE_SERVER_HTTP_OPEN_API_H_

#include <string>
#include <vector>

namespace slice {

// JSON. It has the paths of these services ("slice.v1.GraphService"), the
// schemas of all their messages, and the comments of the contract.
std::string OpenApiDocument(const std::vector<std::string>& services);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_OPEN_API_H_
