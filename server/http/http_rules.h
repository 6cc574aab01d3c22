// Which methods of gRPC are also called over HTTP, and how: what the
// annotations google.api.http of the wire contract say.
#ifndef SLICE_SERVER_HTTP_HTTP_RULES_H_
#define SLICE_SERVER_HTTP_HTTP_RULES_H_

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

namespace slice {

struct HttpRule {
  std::string verb;  // "GET": the fields are in the query; "POST": in the body
  std::string path;  // "/v1/nodes"
  const google::protobuf::MethodDescriptor* method = nullptr;
};

// The rules of the methods of a service ("slice.v1.GraphService") that have
// one, in their order. The contract has no other forms than `get: PATH` and
// `post: PATH body: "*"`. REQUIRES: the program has the service.
std::vector<HttpRule> HttpRulesOf(const std::string& service);

// "/package.Service/Name", as gRPC calls it.
std::string FullMethodName(const google::protobuf::MethodDescriptor& method);

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_HTTP_RULES_H_
