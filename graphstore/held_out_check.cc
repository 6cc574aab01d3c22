// A held-out link that the training graph contains would let a model know the
// answer, so an import with such a link is refused as a whole.
//
// Four things are looked for:
//   1. rows of one file with the same link (CheckLabels): repeats are counted,
//      contradicting labels refused;
//   2. links labelled 1 in two files (CountShared): counted;
//   3. held-out links that are training links (the same triple): refused;
//   4. held-out links whose ends are joined by a training link of another
//      relation or direction: counted, refused with `strict_pairs`.
// Only rows labelled 1 matter for 2 to 4: a negative may name any pair.
#include "graphstore/held_out_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// The unordered pair of the two ends as one integer.
uint64_t PackPair(const Link& link) {
  const auto [low, high] = std::minmax(link.source, link.target);
  return (uint64_t{low} << 32) | high;
}

// The unordered pairs that `links` join, sorted.
std::vector<uint64_t> LinkedPairs(const std::vector<Link>& links) {
  std::vector<uint64_t> pairs;
  pairs.reserve(links.size());
  for (const Link& link : links) pairs.push_back(PackPair(link));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

uint64_t CountUnlinkedNodes(const GraphData& data,
                            const std::vector<HeldOutRow>& rows) {
  std::vector<char> seen(data.catalogue.nodes.size(), 0);
  for (const Link& link : data.links) seen[link.source] = seen[link.target] = 1;
  uint64_t count = 0;
  for (const HeldOutRow& row : rows) {
    for (const NodeId node :
         {row.labelled.link.source, row.labelled.link.target}) {
      count += seen[node] == 0;
      seen[node] = 1;
    }
  }
  return count;
}

std::string Describe(const GraphCatalogue& catalogue, const Link& link) {
  return absl::StrCat("\"", catalogue.relations[link.relation], " ",
                      catalogue.nodes[link.source].key, " ",
                      catalogue.nodes[link.target].key, "\"");
}

// The error for a held-out link that training knows: `row` is the first one,
// `count` the number of them and `what` says how training knows it.
absl::Status Refuse(const EdgeListImportOptions& options,
                    const GraphCatalogue& catalogue, const HeldOutRow& row,
                    uint64_t count, const char* what) {
  return absl::FailedPreconditionError(absl::StrCat(
      options.held_out[row.file].string(), ":", row.line,
      ": the held-out link ", Describe(catalogue, row.labelled.link), " ", what,
      " ", options.train.string(), " (", count,
      count == 1 ? " such link" : " such links", "); take ",
      count == 1 ? "it" : "them", " out of one of the files"));
}

// Counts the repeated rows of each file, or refuses two rows of one file with
// the same link and different labels.
absl::StatusOr<uint64_t> CheckLabels(const EdgeListImportOptions& options,
                                     const GraphCatalogue& catalogue,
                                     const std::vector<HeldOutRow>& rows) {
  std::vector<const HeldOutRow*> sorted;
  sorted.reserve(rows.size());
  for (const HeldOutRow& row : rows) sorted.push_back(&row);
  const auto key = [](const HeldOutRow* row) {
    return std::tuple(row->file, row->labelled.link, row->line);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const auto* a, const auto* b) { return key(a) < key(b); });
  uint64_t duplicates = 0;
  for (size_t i = 1; i < sorted.size(); ++i) {
    const HeldOutRow& first = *sorted[i - 1];
    const HeldOutRow& again = *sorted[i];
    const bool same_link =
        first.file == again.file && first.labelled.link == again.labelled.link;
    if (!same_link) continue;
    if (first.labelled.positive == again.labelled.positive) {
      ++duplicates;
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat(options.held_out[again.file].string(), ":", again.line,
                     ": the link ", Describe(catalogue, again.labelled.link),
                     " is labelled ", again.labelled.positive ? 1 : 0,
                     " here and ", first.labelled.positive ? 1 : 0, " in line ",
                     first.line, "; remove one of the two lines"));
  }
  return duplicates;
}

// The rows labelled 1 whose link an earlier file labels 1, too.
uint64_t CountShared(const std::vector<HeldOutRow>& rows) {
  std::map<Link, size_t> first_file;
  uint64_t shared = 0;
  for (const HeldOutRow& row : rows) {
    if (!row.labelled.positive) continue;
    const auto known = first_file.emplace(row.labelled.link, row.file).first;
    shared += known->second != row.file;
  }
  return shared;
}

}  // namespace

absl::StatusOr<HeldOutCounts> CheckHeldOut(
    const EdgeListImportOptions& options, const GraphData& data,
    const std::vector<HeldOutRow>& rows) {
  HeldOutCounts counts;
  SLICE_ASSIGN_OR_RETURN(counts.duplicates,
                         CheckLabels(options, data.catalogue, rows));
  counts.shared = CountShared(rows);
  counts.unlinked_nodes = CountUnlinkedNodes(data, rows);
  const std::vector<uint64_t> pairs = LinkedPairs(data.links);
  const HeldOutRow* first_triple = nullptr;
  const HeldOutRow* first_pair = nullptr;
  uint64_t triples = 0;
  for (const HeldOutRow& row : rows) {
    const auto& [link, positive] = row.labelled;
    if (!positive) continue;
    ++counts.links;
    if (!std::binary_search(pairs.begin(), pairs.end(), PackPair(link)))
      continue;
    if (std::binary_search(data.links.begin(), data.links.end(), link)) {
      if (triples++ == 0) first_triple = &row;
    } else if (counts.pairs_linked++ == 0) {
      first_pair = &row;
    }
  }
  if (triples > 0) {
    return Refuse(options, data.catalogue, *first_triple, triples,
                  "is also in the training file");
  }
  if (counts.pairs_linked > 0 && options.strict_pairs) {
    return Refuse(options, data.catalogue, *first_pair, counts.pairs_linked,
                  "joins two nodes that are linked otherwise in the training "
                  "file");
  }
  return counts;
}

}  // namespace slice
