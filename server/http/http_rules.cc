#include "server/http/http_rules.h"

#include "absl/strings/str_cat.h"
#include "google/api/annotations.pb.h"

namespace slice {

std::vector<HttpRule> HttpRulesOf(const std::string& service_name) {
  const auto& service =
      *google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
          service_name);
  std::vector<HttpRule> rules;
  for (int i = 0; i < service.method_count(); ++i) {
    const auto* const method = service.method(i);
    if (!method->options().HasExtension(google::api::http)) continue;
    const google::api::HttpRule& rule =
        method->options().GetExtension(google::api::http);
    if (rule.has_get()) rules.push_back({"GET", rule.get(), method});
    if (rule.has_post()) rules.push_back({"POST", rule.post(), method});
  }
  return rules;
}

std::string FullMethodName(const google::protobuf::MethodDescriptor& method) {
  return absl::StrCat("/", method.service()->full_name(), "/", method.name());
}

}  // namespace slice
