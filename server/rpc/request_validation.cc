// One function per request, which checks field by field and stops at the first
// fault. A good request costs no allocation: the name of a field is put
// together only for an error (Field).
#include "server/rpc/request_validation.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/prediction.h"
#include "server/graph/named_changes.h"
#include "server/grpc_status.h"
#include "server/limits.h"

namespace slice {
namespace {

// The name of a field, in parts: {"links", 3, ".source", ".key"} is
// "links[3].source.key".
struct Field {
  // NOLINTNEXTLINE(google-explicit-constructor): a text is a field's name
  Field(const char* field_name, int at = -1, const char* field_part = "")
      : name(field_name), index(at), part(field_part) {}

  Field Sub(const char* field) const {
    Field sub = *this;
    sub.leaf = field;
    return sub;
  }
  std::string Name() const {
    if (index < 0) return absl::StrCat(name, part, leaf);
    return absl::StrCat(name, "[", index, "]", part, leaf);
  }

  const char* name;
  int index;
  const char* part;
  const char* leaf = "";
};

absl::Status CheckText(const Field& field, const std::string& text,
                       bool required) {
  if (required && text.empty()) {
    return InvalidField(field.Name(), "must not be empty");
  }
  if (text.size() > kMaxTextBytes) {
    return InvalidField(field.Name(),
                        absl::StrCat("has ", text.size(), " bytes, at most ",
                                     kMaxTextBytes, " are allowed"));
  }
  return absl::OkStatus();
}

absl::Status CheckNode(const Field& field, bool present,
                       const v1::NodeRef& node) {
  switch (node.ref_case()) {
    case v1::NodeRef::kKey:
      SLICE_RETURN_IF_ERROR(CheckText(field.Sub(".key"), node.key(), true));
      break;
    case v1::NodeRef::kName:
      SLICE_RETURN_IF_ERROR(CheckText(field.Sub(".name"), node.name(), true));
      break;
    case v1::NodeRef::REF_NOT_SET:
      return InvalidField(field.Name(),
                          present ? "names no node: set its key or its name"
                                  : "is missing: set its key or its name");
  }
  return CheckText(field.Sub(".type"), node.type(), false);
}

absl::Status CheckPage(int page_size, const std::string& page_token) {
  if (page_size < 0 || page_size > kMaxPageSize) {
    return InvalidField("page_size", absl::StrCat(page_size, " is not in [0, ",
                                                  kMaxPageSize, "]"));
  }
  return CheckText("page_token", page_token, false);
}

absl::Status CheckLevel(v1::ExplanationLevel level) {
  switch (level) {
    case v1::EXPLANATION_LEVEL_UNSPECIFIED:
    case v1::EXPLANATION_LEVEL_NONE:
    case v1::EXPLANATION_LEVEL_CONTEXT:
    case v1::EXPLANATION_LEVEL_FULL:
      return absl::OkStatus();
    default:
      return InvalidField(
          "explanation_level",
          absl::StrCat("unknown value ", static_cast<int>(level)));
  }
}

absl::Status CheckScorer(const std::string& scorer) {
  SLICE_RETURN_IF_ERROR(CheckText("scorer", scorer, false));
  if (scorer.empty()) return absl::OkStatus();
  const absl::Status known = ParseScorer(scorer).status();
  if (known.ok()) return absl::OkStatus();
  return InvalidField("scorer", std::string(known.message()));
}

// A prior of 0 is none.
absl::Status CheckPrior(double prior) {
  if (prior == 0 || (prior >= kLeastPrior && prior <= 1 - kLeastPrior)) {
    return absl::OkStatus();
  }
  return InvalidField("prior",
                      absl::StrCat(prior,
                                   " is not a share between 0 and 1; leave it "
                                   "out, or give one from ",
                                   kLeastPrior, " to 1 - ", kLeastPrior));
}

absl::Status CheckWhatIf(bool present, const v1::WhatIf& what_if) {
  if (!present) return absl::OkStatus();
  if (what_if.changes().empty()) {
    return InvalidField("what_if.changes",
                        "must hold at least one change, or leave what_if out");
  }
  if (what_if.changes_size() > kMaxWhatIfChanges) {
    return InvalidField(
        "what_if.changes",
        absl::StrCat("holds ", what_if.changes_size(), " changes, at most ",
                     kMaxWhatIfChanges, " are allowed"));
  }
  return ValidateNamedChanges(what_if.changes(), "what_if.changes");
}

}  // namespace

absl::Status ValidateRequest(const v1::PredictLinksRequest& request) {
  if (request.links().empty()) {
    return InvalidField("links", "must hold at least one link");
  }
  if (request.links_size() > kMaxLinksPerRequest) {
    return InvalidField(
        "links",
        absl::StrCat("holds ", request.links_size(), " links, at most ",
                     kMaxLinksPerRequest, " are allowed"));
  }
  SLICE_RETURN_IF_ERROR(CheckLevel(request.explanation_level()));
  if (!v1::RequestClass_IsValid(request.request_class())) {
    return InvalidField(
        "request_class",
        absl::StrCat("unknown value ",
                     static_cast<int>(request.request_class())));
  }
  SLICE_RETURN_IF_ERROR(CheckText("model", request.model(), false));
  SLICE_RETURN_IF_ERROR(CheckScorer(request.scorer()));
  SLICE_RETURN_IF_ERROR(CheckPrior(request.prior()));
  SLICE_RETURN_IF_ERROR(CheckWhatIf(request.has_what_if(), request.what_if()));
  for (int i = 0; i < request.links_size(); ++i) {
    const v1::LinkRef& link = request.links(i);
    SLICE_RETURN_IF_ERROR(
        CheckNode({"links", i, ".source"}, link.has_source(), link.source()));
    SLICE_RETURN_IF_ERROR(
        CheckText({"links", i, ".relation"}, link.relation(), true));
    SLICE_RETURN_IF_ERROR(
        CheckNode({"links", i, ".target"}, link.has_target(), link.target()));
  }
  return absl::OkStatus();
}

absl::Status ValidateRequest(const v1::RecommendLinksRequest& request) {
  switch (request.known_end_case()) {
    case v1::RecommendLinksRequest::kSource:
      SLICE_RETURN_IF_ERROR(CheckNode("source", true, request.source()));
      break;
    case v1::RecommendLinksRequest::kTarget:
      SLICE_RETURN_IF_ERROR(CheckNode("target", true, request.target()));
      break;
    case v1::RecommendLinksRequest::KNOWN_END_NOT_SET:
      return InvalidField("source",
                          "is missing: set the source to get targets, or the "
                          "target to get sources");
  }
  SLICE_RETURN_IF_ERROR(CheckText("relation", request.relation(), true));
  if (request.k() < 0 || request.k() > kMaxRecommendations) {
    return InvalidField("k", absl::StrCat(request.k(), " is not in [1, ",
                                          kMaxRecommendations, "]"));
  }
  SLICE_RETURN_IF_ERROR(CheckText("type", request.type(), false));
  SLICE_RETURN_IF_ERROR(CheckText("model", request.model(), false));
  SLICE_RETURN_IF_ERROR(CheckScorer(request.scorer()));
  SLICE_RETURN_IF_ERROR(CheckPrior(request.prior()));
  SLICE_RETURN_IF_ERROR(CheckWhatIf(request.has_what_if(), request.what_if()));
  if (request.candidates_size() > kMaxRecommendCandidates) {
    return InvalidField(
        "candidates",
        absl::StrCat("holds ", request.candidates_size(), " nodes, at most ",
                     kMaxRecommendCandidates, " are allowed"));
  }
  for (int i = 0; i < request.candidates_size(); ++i) {
    SLICE_RETURN_IF_ERROR(
        CheckNode({"candidates", i}, true, request.candidates(i)));
  }
  return absl::OkStatus();
}

absl::Status ValidateRequest(const v1::FindNodesRequest& request) {
  SLICE_RETURN_IF_ERROR(CheckText("prefix", request.prefix(), false));
  SLICE_RETURN_IF_ERROR(CheckText("type", request.type(), false));
  SLICE_RETURN_IF_ERROR(CheckText("model", request.model(), false));
  return CheckPage(request.page_size(), request.page_token());
}

absl::Status ValidateRequest(const v1::GetNeighborsRequest& request) {
  SLICE_RETURN_IF_ERROR(CheckNode("node", request.has_node(), request.node()));
  SLICE_RETURN_IF_ERROR(CheckText("relation", request.relation(), false));
  SLICE_RETURN_IF_ERROR(CheckText("model", request.model(), false));
  if (!v1::Direction_IsValid(request.direction())) {
    return InvalidField(
        "direction",
        absl::StrCat("unknown value ", static_cast<int>(request.direction())));
  }
  return CheckPage(request.page_size(), request.page_token());
}

int PageSizeOr(int page_size, int fallback) {
  return page_size == 0 ? fallback : page_size;
}

}  // namespace slice
