#include "common/table/column_names.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"

namespace slice {
namespace {

// The plainest name of a role comes first.
using Names = std::vector<std::string_view>;

const Names& NamesOf(LinkRole role) {
  static const Names kRelation = {
      "relation",     "rel",      "predicate",    "pred",     "edgetype",
      "reltype",      "linktype", "relationtype", "type",     "relationship",
      "relationname", "edge",     "link",         "property", "verb"};
  static const Names kSource = {
      "source",   "src",      "from",      "subject",    "subj",       "head",
      "start",    "sourceid", "sourcekey", "sourcename", "sourcenode", "fromid",
      "fromnode", "startid",  "startnode", "subjectid",  "headid",     "node1",
      "node1id",  "entity1",  "id1",       "srcid",      "who"};
  static const Names kTarget = {
      "target",   "tgt",       "to",         "object",     "obj",
      "tail",     "end",       "dst",        "dest",       "destination",
      "targetid", "targetkey", "targetname", "targetnode", "toid",
      "tonode",   "endid",     "endnode",    "objectid",   "tailid",
      "node2",    "node2id",   "entity2",    "id2",        "dstid",
      "whom",     "what"};
  static const Names kLabel = {"label", "islink", "truth", "gold"};
  static const Names kWeight = {"weight", "strength"};
  static const Names kTime = {"time",  "timestamp", "date",    "datetime",
                              "year",  "createdat", "created", "when",
                              "since", "day"};
  switch (role) {
    case LinkRole::kRelation:
      return kRelation;
    case LinkRole::kSource:
      return kSource;
    case LinkRole::kTarget:
      return kTarget;
    case LinkRole::kLabel:
      return kLabel;
    case LinkRole::kWeight:
      return kWeight;
    case LinkRole::kTime:
      return kTime;
  }
  return kRelation;
}

const Names& NamesOf(NodeRole role) {
  static const Names kKey = {"key", "id", "nodeid", "node", "nodekey"};
  static const Names kType = {"type",  "nodetype", "kind",
                              "class", "category", "label"};
  static const Names kName = {"name", "title", "displayname", "nodename"};
  static const Names kLabel = {"label"};
  switch (role) {
    case NodeRole::kKey:
      return kKey;
    case NodeRole::kType:
      return kType;
    case NodeRole::kName:
      return kName;
    case NodeRole::kLabel:
      return kLabel;
  }
  return kKey;
}

// Lower case, without anything but letters and digits.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)))
      plain.push_back(absl::ascii_tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

std::optional<size_t> FindColumn(std::span<const std::string> header,
                                 const Names& names) {
  std::optional<size_t> best;
  size_t best_rank = names.size();
  for (size_t i = 0; i < header.size(); ++i) {
    const std::string plain = Plain(header[i]);
    const size_t rank =
        std::find(names.begin(), names.end(), plain) - names.begin();
    if (rank >= best_rank) continue;
    best = i;
    best_rank = rank;
  }
  return best;
}

// Whether a text is one of `words`, or ends with one of `ends` behind more.
bool EndsWithWord(std::string_view text,
                  std::initializer_list<std::string_view> ends,
                  std::initializer_list<std::string_view> words) {
  const std::string lower = absl::AsciiStrToLower(std::string(text));
  return std::find(words.begin(), words.end(), lower) != words.end() ||
         std::any_of(ends.begin(), ends.end(), [&](std::string_view end) {
           return lower.size() > end.size() && lower.ends_with(end);
         });
}

}  // namespace

std::optional<size_t> FindLinkColumn(std::span<const std::string> header,
                                     LinkRole role) {
  return FindColumn(header, NamesOf(role));
}

std::optional<size_t> FindNodeColumn(std::span<const std::string> header,
                                     NodeRole role) {
  return FindColumn(header, NamesOf(role));
}

bool LooksLikeColumnOfIds(std::string_view text) {
  return EndsWithWord(text, {"_id", " id", "-id", "_key"}, {"id", "key"});
}

bool LooksLikeColumnOfKeys(std::string_view text) {
  return LooksLikeColumnOfIds(text) ||
         EndsWithWord(text, {"_name", " name"}, {"name"});
}

}  // namespace slice
