#include "client/what_if_types.h"

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

std::string TextOf(const LinkQuery& link) {
  return absl::StrCat(link.source.text, " ", link.relation, " ",
                      link.target.text);
}

}  // namespace

std::string DescribeChange(const WhatIfQuery& query, size_t position) {
  size_t i = position;
  if (i < query.added_nodes.size())
    return absl::StrCat("with the node ", query.added_nodes[i].key);
  i -= query.added_nodes.size();
  if (i < query.removed_nodes.size())
    return absl::StrCat("without the node ", query.removed_nodes[i].text);
  i -= query.removed_nodes.size();
  if (i < query.added_links.size())
    return absl::StrCat("with ", TextOf(query.added_links[i]));
  i -= query.added_links.size();
  return i < query.removed_links.size()
             ? absl::StrCat("without ", TextOf(query.removed_links[i]))
             : absl::StrCat("change ", position);
}

}  // namespace slice
