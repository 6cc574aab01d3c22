// golden_links.json:
//   {"outputs": ["context.plausible", ...],
//    "links": [[source, relation, target, logit, ...], ...]}
// The ids are those of the bundle's graph, and there is one logit for each
// output, in the order of OutputNames().
#include "model/golden_links.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr size_t kBatch = 32;  // links per call of the scorer
constexpr size_t kIds = 3;     // of a link

// A link of the graph: the a random arc of the first node with any, from a
// random node on.
std::optional<Link> DrawLink(const GraphSnapshot& snapshot, Random& random) {
  const auto nodes = static_cast<uint32_t>(snapshot.node_count());
  const uint32_t start = random.Below(nodes);
  for (uint32_t step = 0; step < nodes; ++step) {
    const NodeId source = (start + step) % nodes;
    const auto arcs = snapshot.Arcs(source, Direction::kOut);
    if (arcs.size() == 0) continue;
    const uint32_t at = random.Below(static_cast<uint32_t>(arcs.size()));
    return Link{source, arcs.relations[at], arcs.neighbors[at]};
  }
  return std::nullopt;
}

Link MakeUpLink(const GraphSnapshot& snapshot, Random& random) {
  const auto nodes = static_cast<uint32_t>(snapshot.node_count());
  const auto relations = static_cast<uint32_t>(snapshot.relation_count());
  Link link;
  link.source = random.Below(nodes);
  link.relation = static_cast<RelationId>(random.Below(relations));
  link.target = random.Below(nodes);
  return link;
}

// Reads one row of "links"; false when it is not of a bundle like this.
bool ReadRow(const Json& row, const BundleManifest& manifest, Link* link,
             LinkLogits* logits) {
  if (!row.is_array() || row.size() != kIds + kScorers * kQuestions) {
    return false;
  }
  for (size_t i = 0; i < row.size(); ++i) {
    if (i < kIds ? !row[i].is_number_unsigned() : !row[i].is_number()) {
      return false;
    }
  }
  const auto source = row[0].get<uint64_t>(), relation = row[1].get<uint64_t>(),
             target = row[2].get<uint64_t>();
  if (source >= manifest.node_count || target >= manifest.node_count ||
      relation >= manifest.relations.size()) {
    return false;
  }
  *link = {static_cast<NodeId>(source), static_cast<RelationId>(relation),
           static_cast<NodeId>(target)};
  size_t at = kIds;
  for (auto& of_scorer : *logits) {
    for (float& logit : of_scorer) {
      logit = row[at++].get<float>();
      if (!std::isfinite(logit)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Link> DrawGoldenLinks(const GraphSnapshot& snapshot, size_t count,
                                  uint64_t seed) {
  std::vector<Link> links;
  if (snapshot.node_count() == 0 || snapshot.relation_count() == 0) {
    return links;
  }
  Random random(seed);
  while (links.size() < count) {
    const auto drawn = links.size() % 2 == 0 ? DrawLink(snapshot, random)
                                             : std::optional<Link>();
    links.push_back(drawn.value_or(MakeUpLink(snapshot, random)));
  }
  return links;
}

absl::StatusOr<std::vector<LinkLogits>> ScoreLinks(
    const std::vector<Link>& links, const GraphSnapshot& snapshot,
    const LinkEncoder& encoder, const BatchScorer& scorer) {
  std::vector<LinkLogits> logits;
  for (size_t begin = 0; begin < links.size(); begin += kBatch) {
    const size_t end = std::min(links.size(), begin + kBatch);
    std::vector<EncodedLink> encoded;
    for (size_t i = begin; i < end; ++i) {
      encoded.push_back(encoder.Encode(snapshot, links[i]));
    }
    std::vector<const EncodedLink*> pointers;
    for (const EncodedLink& one : encoded) pointers.push_back(&one);
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                           scorer.Predict(ContextBatch::Assemble(pointers)));
    for (const Prediction& one : predictions) logits.push_back(one.logits);
  }
  return logits;
}

absl::StatusOr<double> CheckGoldenLinks(const GoldenLinks& golden,
                                        const GraphSnapshot& snapshot,
                                        const LinkEncoder& encoder,
                                        const BatchScorer& scorer,
                                        double tolerance) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<LinkLogits> logits,
                         ScoreLinks(golden.links, snapshot, encoder, scorer));
  double worst = 0;
  size_t worst_link = 0, worst_output = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    for (size_t output = 0; output < kScorers * kQuestions; ++output) {
      const double wanted =
          golden.logits[i][output / kQuestions][output % kQuestions];
      const double found = logits[i][output / kQuestions][output % kQuestions];
      const double error =
          std::abs(found - wanted) / std::max(1.0, std::abs(wanted));
      // A logit that is no number differs most of all.
      if (!(error <= worst)) {
        worst = std::isnan(error) ? HUGE_VAL : error;
        worst_link = i;
        worst_output = output;
      }
    }
  }
  if (worst <= tolerance) return worst;
  const Link& link = golden.links[worst_link];
  const auto of = [&](const std::vector<LinkLogits>& all) {
    return all[worst_link][worst_output / kQuestions]
              [worst_output % kQuestions];
  };
  return absl::FailedPreconditionError(absl::StrCat(
      "this program scores the bundle's golden links otherwise than the "
      "trainer did: ",
      OutputNames()[worst_output], " of ", snapshot.Key(link.source), " ",
      snapshot.RelationName(link.relation), " ", snapshot.Key(link.target),
      " is ", of(logits), ", the bundle says ", of(golden.logits),
      "; use the version of slice that trained it, or train again"));
}

double GoldenTolerance(ForwardPath path) {
  return path == ForwardPath::kNativeBfloat16 ? 0.1 : 1e-4;
}

std::string GoldenLinksToJson(const GoldenLinks& golden) {
  Json links = Json::array();
  for (size_t i = 0; i < golden.links.size(); ++i) {
    const Link& link = golden.links[i];
    Json row = {link.source, link.relation, link.target};
    for (const auto& of_scorer : golden.logits[i]) {
      for (const float logit : of_scorer) row.push_back(logit);
    }
    links.push_back(std::move(row));
  }
  return Json{{"outputs", OutputNames()}, {"links", std::move(links)}}.dump() +
         "\n";
}

absl::StatusOr<GoldenLinks> GoldenLinksFromJson(
    std::string_view json, const BundleManifest& manifest) {
  const auto damaged = [](const std::string& what) {
    return absl::DataLossError(
        absl::StrCat("bundle member ", kGoldenLinksMember, ": ", what));
  };
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object() || !parsed.contains("outputs") ||
      !parsed.contains("links") || !parsed["links"].is_array()) {
    return damaged("it is no JSON object with 'outputs' and 'links'");
  }
  if (parsed["outputs"] != Json(OutputNames())) {
    return damaged("it has other outputs than this program");
  }
  GoldenLinks golden;
  for (const Json& row : parsed["links"]) {
    if (!ReadRow(row, manifest, &golden.links.emplace_back(),
                 &golden.logits.emplace_back())) {
      return damaged(absl::StrCat("link ", golden.links.size() - 1,
                                  " is not three ids and the logits"));
    }
  }
  return golden;
}

}  // namespace slice
