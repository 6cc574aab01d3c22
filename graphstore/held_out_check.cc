#include "graphstore/held_out_check.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

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

uint64_t CountHeldOutOnlyNodes(
    const GraphData& data,
    const std::vector<std::vector<LabelledLink>>& held_out) {
  std::vector<char> seen(data.catalogue.nodes.size(), 0);
  for (const Link& link : data.links) seen[link.source] = seen[link.target] = 1;
  uint64_t count = 0;
  for (const std::vector<LabelledLink>& rows : held_out) {
    for (const LabelledLink& row : rows) {
      for (const NodeId node : {row.link.source, row.link.target}) {
        count += seen[node] == 0;
        seen[node] = 1;
      }
    }
  }
  return count;
}

std::string Describe(const GraphCatalogue& catalogue, const Link& link) {
  return absl::StrCat("\"", catalogue.relations[link.relation], " ",
                      catalogue.nodes[link.source].key, " ",
                      catalogue.nodes[link.target].key, "\"");
}

absl::Status Refuse(const EdgeListImportOptions& options,
                    const GraphCatalogue& catalogue, const HeldOutRow& row,
                    uint64_t count, const char* what) {
  return absl::FailedPreconditionError(
      absl::StrCat(options.held_out[row.file].string(), ":", row.line,
                   ": the held-out link ", Describe(catalogue, row.link), " ",
                   what, " ", options.train.string(), " (", count,
                   count == 1 ? " such link" : " such links", "); take ",
                   count == 1 ? "it" : "them", " out of one of the files"));
}

}  // namespace

absl::Status CheckLabels(const EdgeListImportOptions& options,
                         const GraphCatalogue& catalogue,
                         const std::vector<HeldOutRow>& rows,
                         EdgeListImportSummary* summary) {
  std::vector<const HeldOutRow*> sorted;
  sorted.reserve(rows.size());
  for (const HeldOutRow& row : rows) sorted.push_back(&row);
  const auto key = [](const HeldOutRow* row) {
    return std::tuple(row->file, row->link, row->line);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const auto* a, const auto* b) { return key(a) < key(b); });
  for (size_t i = 1; i < sorted.size(); ++i) {
    const HeldOutRow& first = *sorted[i - 1];
    const HeldOutRow& again = *sorted[i];
    if (first.file != again.file || first.link != again.link) continue;
    if (first.positive == again.positive) {
      ++summary->held_out_duplicates;
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        options.held_out[again.file].string(), ":", again.line, ": the link ",
        Describe(catalogue, again.link), " is labelled ",
        again.positive ? 1 : 0, " here and ", first.positive ? 1 : 0,
        " in line ", first.line, "; take one of them out"));
  }
  return absl::OkStatus();
}

absl::Status CheckHeldOut(
    const EdgeListImportOptions& options, const GraphData& data,
    const std::vector<std::vector<LabelledLink>>& held_out,
    const std::vector<HeldOutRow>& rows, EdgeListImportSummary* summary) {
  const std::vector<uint64_t> pairs = LinkedPairs(data.links);
  const HeldOutRow* first_triple = nullptr;
  const HeldOutRow* first_pair = nullptr;
  uint64_t triples = 0;
  uint64_t linked = 0;
  for (const HeldOutRow& row : rows) {
    if (!row.positive) continue;
    ++summary->held_out_links;
    if (!std::binary_search(pairs.begin(), pairs.end(), PackPair(row.link)))
      continue;
    if (std::binary_search(data.links.begin(), data.links.end(), row.link)) {
      if (triples++ == 0) first_triple = &row;
    } else if (linked++ == 0) {
      first_pair = &row;
    }
  }
  summary->held_out_pairs_linked = linked;
  summary->held_out_only_nodes = CountHeldOutOnlyNodes(data, held_out);
  if (triples > 0) {
    return Refuse(options, data.catalogue, *first_triple, triples,
                  "is also in the training file");
  }
  if (linked > 0 && options.strict_pairs) {
    return Refuse(options, data.catalogue, *first_pair, linked,
                  "joins two nodes that are linked otherwise in the training "
                  "file");
  }
  return absl::OkStatus();
}

}  // namespace slice
