#include "client/commands/what_if_flags.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/commands/change_errors.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

using Words = std::vector<std::string>;

Words Cut(const std::string& text) {
  if (text.find('\t') != std::string::npos) return absl::StrSplit(text, '\t');
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

std::string Joined(const Words& words, size_t begin, size_t end) {
  return absl::StrJoin(words.begin() + static_cast<ptrdiff_t>(begin),
                       words.begin() + static_cast<ptrdiff_t>(end), " ");
}

absl::Status NoLink(const std::string& text, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the link ", Quoted(text), " ", why,
                   "; write SOURCE RELATION TARGET, with tabs between them if "
                   "a name has blanks"));
}

bool MayNameType(const std::string& node) {
  return node.find(':') != std::string::npos;
}

// A node as typed: "type:key" with one of `types`, else a key. Says so if what
// stands before the colon resembles a type.
ImaginedNode ReadNode(const std::string& text, const Words& types,
                      const CommandOutput& output) {
  if (!MayNameType(text)) return {text, ""};
  const size_t colon = text.find(':');
  const std::string type = text.substr(0, colon);
  if (std::find(types.begin(), types.end(), type) != types.end())
    return {text.substr(colon + 1), type};
  const Words similar = NearestStrings(type, types);
  if (!similar.empty()) {
    output.messages << "note: the graph has no type " << Quoted(type)
                    << ", so the new node has the key " << Quoted(text)
                    << DidYouMean(similar) << "\n";
  }
  return {text, ""};
}

bool SameLink(const LinkQuery& a, const LinkQuery& b) {
  return a.source.text == b.source.text && a.relation == b.relation &&
         a.target.text == b.target.text;
}

bool IsAmbiguous(const std::string& link) {
  return link.find('\t') == std::string::npos && Cut(link).size() > 3;
}

// The flag that asks for the change at `position`, as typed.
std::string FlagOf(const WhatIfFlags& values, size_t position) {
  // In the order of the changes of a request (DescribeChange).
  for (const auto& [flag, texts] :
       {std::pair("--with-node ", &values.with_node),
        std::pair("--without-node ", &values.without_node),
        std::pair("--with ", &values.with),
        std::pair("--without ", &values.without)}) {
    if (position < texts->size()) return flag + ShellWord((*texts)[position]);
    position -= texts->size();
  }
  return "another change";
}

absl::StatusOr<Words> RelationNames(const LinkClient& client) {
  SLICE_ASSIGN_OR_RETURN(const RelationList list, client.ListRelations());
  Words names;
  for (const RelationInfo& relation : list.relations)
    names.push_back(relation.name);
  return names;
}

}  // namespace

void AddWhatIf(CommandFlags& flags, WhatIfFlags& values) {
  flags
      .Add("--with", values.with,
           "answer as if the graph had this link too: 'SOURCE RELATION TARGET'")
      .Type("LINK")
      .OneValueEach();
  flags
      .Add("--without", values.without,
           "answer as if the graph lacked this link")
      .Type("LINK")
      .OneValueEach();
  flags
      .Add("--with-node", values.with_node,
           "answer as if the graph had this node too: KEY or TYPE:KEY")
      .Type("NODE")
      .OneValueEach();
  flags
      .Add("--without-node", values.without_node,
           "answer as if the graph lacked this node and all its links")
      .Type("NODE")
      .OneValueEach();
}

absl::StatusOr<LinkQuery> ParseLink(const std::string& text, bool exact_keys,
                                    const Words& relations) {
  const Words words = Cut(text);
  if (words.size() < 3) return NoLink(text, "has fewer than three parts");
  if (words.size() == 3)
    return LinkQuery{{words[0], exact_keys}, words[1], {words[2], exact_keys}};
  if (!IsAmbiguous(text)) return NoLink(text, "has more than three parts");
  std::optional<LinkQuery> found;
  for (size_t begin = 1; begin < words.size(); ++begin) {
    for (size_t end = begin + 1; end < words.size(); ++end) {
      const std::string relation = Joined(words, begin, end);
      if (std::find(relations.begin(), relations.end(), relation) ==
          relations.end())
        continue;
      if (found) return NoLink(text, "can be read in several ways");
      found = LinkQuery{{Joined(words, 0, begin), exact_keys},
                        relation,
                        {Joined(words, end, words.size()), exact_keys}};
    }
  }
  if (!found) return NoLink(text, "names no relation of the graph");
  return *std::move(found);
}

absl::StatusOr<WhatIfQuery> ReadWhatIf(const LinkClient& client,
                                       const WhatIfFlags& values,
                                       bool exact_keys,
                                       const CommandOutput& output) {
  Words relations;
  if (std::any_of(values.with.begin(), values.with.end(), IsAmbiguous) ||
      std::any_of(values.without.begin(), values.without.end(), IsAmbiguous)) {
    SLICE_ASSIGN_OR_RETURN(relations, RelationNames(client));
  }
  WhatIfQuery query;
  const auto read = [&](const Words& texts, std::vector<LinkQuery>& links) {
    for (const std::string& text : texts) {
      SLICE_ASSIGN_OR_RETURN(LinkQuery link,
                             ParseLink(text, exact_keys, relations));
      links.push_back(std::move(link));
    }
    return absl::OkStatus();
  };
  SLICE_RETURN_IF_ERROR(read(values.with, query.added_links));
  SLICE_RETURN_IF_ERROR(read(values.without, query.removed_links));
  Words types;
  if (std::any_of(values.with_node.begin(), values.with_node.end(),
                  MayNameType)) {
    SLICE_ASSIGN_OR_RETURN(ModelInfo info, client.GetModelInfo());
    types = std::move(info.node_types);
  }
  for (const std::string& text : values.with_node)
    query.added_nodes.push_back(ReadNode(text, types, output));
  for (const std::string& text : values.without_node)
    query.removed_nodes.push_back({text, exact_keys});
  return query;
}

absl::Status InWordsOfFlags(const WhatIfFlags& values, const WhatIfQuery& query,
                            const absl::Status& error) {
  constexpr std::string_view kList = "what_if.changes";
  const absl::Status named =
      NameChanges(error, kList, [&](size_t i) { return FlagOf(values, i); });
  const std::optional<UnknownEnd> unknown = UnknownEndOf(error, kList);
  if (!unknown) return named;
  const size_t link =
      unknown->position - query.added_nodes.size() - query.removed_nodes.size();
  if (link >= query.added_links.size()) return named;
  const LinkQuery& added = query.added_links[link];
  return AddAdvice(
      named,
      "add it with --with-node " +
          ShellWord((unknown->source ? added.source : added.target).text));
}

absl::Status CheckAskedNodes(const WhatIfQuery& query, const LinkQuery& asked) {
  for (const NodeQuery& removed : query.removed_nodes) {
    const bool source = removed.text == asked.source.text;
    if (!source && removed.text != asked.target.text) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--without-node ", removed.text, " takes away the ",
                     source ? "source" : "target", " that you ask about"));
  }
  return absl::OkStatus();
}

bool PrintAskedLink(const WhatIfQuery& query, const LinkQuery& asked,
                    const CommandOutput& output) {
  const auto is_asked = [&](const LinkQuery& link) {
    return SameLink(link, asked);
  };
  const bool changed = std::any_of(query.added_links.begin(),
                                   query.added_links.end(), is_asked) ||
                       std::any_of(query.removed_links.begin(),
                                   query.removed_links.end(), is_asked);
  if (changed) {
    output.messages << "note: a question never sees the link that it asks "
                       "about, so changing that link changes nothing\n";
  }
  return changed;
}

void PrintWithoutEffect(const WhatIfQuery& query,
                        const std::vector<size_t>& without_effect,
                        const CommandOutput& output) {
  for (const size_t position : without_effect) {
    output.messages << "note: \"" << DescribeChange(query, position)
                    << "\" changes nothing: the graph is like that already\n";
  }
}

}  // namespace slice
