#include "context/pair_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/context/hidings.h"

namespace slice {
namespace {

// The features of one link from a plain set of links, by definition.
class PlainFeatures {
 public:
  PlainFeatures(const GraphSnapshot& graph, const Link& query)
      : graph_(graph), query_(query), u_(query.source), v_(query.target) {
    neighbors_.resize(graph.node_count());
    for (NodeId node = 0; node < graph.node_count(); ++node) {
      const ArcSpan arcs = graph.Arcs(node, Direction::kOut);
      for (size_t i = 0; i < arcs.size(); ++i) {
        const NodeId other = arcs.neighbors[i];
        links_.insert({node, arcs.relations[i], other});
        if (other == node) continue;
        neighbors_[node].insert(other);
        neighbors_[other].insert(node);
      }
    }
    norm_ = std::sqrt((Degree(u_) + 1) * (Degree(v_) + 1));
    AddEnds();
    AddTwoPaths();
    AddThreePaths();
    AddDirect();
    AddTypes();
  }

  const std::map<std::string, double>& values() const { return values_; }

 private:
  double Degree(NodeId node) const { return neighbors_[node].size(); }
  bool Has(NodeId a, int relation, NodeId b) const {
    return links_.contains({a, static_cast<RelationId>(relation), b});
  }
  bool Typed(NodeId a, NodeId b) const { return Has(a, query_.relation, b); }
  double Slot(NodeId node, int relation, bool out) const {
    return std::count_if(links_.begin(), links_.end(), [&](const Link& link) {
      return link.relation == relation &&
             (out ? link.source : link.target) == node;
    });
  }
  bool Alike(NodeId a, NodeId b, NodeId middle) const {
    for (size_t r = 0; r < graph_.relation_count(); ++r) {
      if (Has(a, r, middle) && Has(b, r, middle)) return true;
      if (Has(middle, r, a) && Has(middle, r, b)) return true;
    }
    return false;
  }

  void AddEnds() {
    const int r = query_.relation;
    for (const bool source : {true, false}) {
      const std::string end = source ? "source" : "target";
      const NodeId node = source ? u_ : v_;
      double arcs = 0;
      for (const Link& link : links_) {
        arcs += (link.source == node) + (link.target == node);
      }
      values_["degree." + end + "_neighbors"] = std::log1p(Degree(node));
      values_["degree." + end + "_arcs"] = std::log1p(arcs);
      values_["degree." + end + "_isolated"] = arcs == 0;
      values_["slot." + end + "_out"] = std::log1p(Slot(node, r, true));
      values_["slot." + end + "_in"] = std::log1p(Slot(node, r, false));
      for (size_t s = 0; s < graph_.relation_count(); ++s) {
        const std::string suffix = "." + std::to_string(s);
        values_["slot." + end + ".out" + suffix] =
            std::log1p(Slot(node, s, true));
        values_["slot." + end + ".in" + suffix] =
            std::log1p(Slot(node, s, false));
      }
    }
    values_["degree.same_node"] = u_ == v_;
    for (const bool source : {true, false}) {
      const NodeId node = source ? u_ : v_;
      double all = 0, typed = 0, links = 0;
      for (const NodeId x : neighbors_[node]) all += std::log1p(Degree(x));
      for (NodeId x = 0; x < graph_.node_count(); ++x) {
        if (!(source ? Typed(node, x) : Typed(x, node))) continue;
        typed += std::log1p(Slot(x, r, !source));
        links += 1;
      }
      double second = 0;
      for (const NodeId x : neighbors_[node]) {
        double sum = 0;
        for (const NodeId y : neighbors_[x]) sum += std::log1p(Degree(y));
        second += sum / Degree(x);
      }
      const std::string end = source ? "source" : "target";
      values_["popularity." + end + "_neighbors"] =
          all / std::max(1.0, Degree(node));
      values_["popularity." + end + "_second_neighbors"] =
          second / std::max(1.0, Degree(node));
      for (size_t s = 0; s < graph_.relation_count(); ++s) {
        for (const bool out : {true, false}) {
          double sum = 0, count = 0;
          for (NodeId x = 0; x < graph_.node_count(); ++x) {
            if (!(out ? Has(node, s, x) : Has(x, s, node))) continue;
            sum += std::log1p(Slot(x, s, !out));
            count += 1;
          }
          values_["popularity." + end + (out ? ".out." : ".in.") +
                  std::to_string(s)] = sum / std::max(1.0, count);
        }
      }
      values_["popularity." + end + (source ? "_targets" : "_sources")] =
          typed / std::max(1.0, links);
    }
    values_["slot.source_out_share"] = Slot(u_, r, true) / (Degree(u_) + 1);
    values_["slot.target_in_share"] = Slot(v_, r, false) / (Degree(v_) + 1);
    values_["slot.source_out_empty"] = Slot(u_, r, true) == 0;
    values_["slot.target_in_empty"] = Slot(v_, r, false) == 0;
  }

  void CountTwoPath(const std::string& kind, double degree) {
    const std::string name = "two_paths." + kind;
    counts_[name] += 1;
    values_[name + ".weight"] += 1 / degree;
    values_[name + ".weight_normalized"] += 1 / degree / norm_;
  }

  void AddTwoPaths() {
    double count = 0, adamic_adar = 0, allocation = 0;
    std::set<NodeId> either = neighbors_[u_];
    either.insert(neighbors_[v_].begin(), neighbors_[v_].end());
    for (NodeId x = 0; x < graph_.node_count(); ++x) {
      if (x == u_ || x == v_) continue;
      if (!neighbors_[u_].contains(x) || !neighbors_[v_].contains(x)) continue;
      count += 1;
      adamic_adar += 1 / std::log(std::max(Degree(x), 2.0));
      allocation += 1 / Degree(x);
      if (Typed(u_, x)) CountTwoPath("first_relation", Degree(x));
      if (Typed(x, v_)) CountTwoPath("last_relation", Degree(x));
      if (Alike(u_, v_, x)) CountTwoPath("alike", Degree(x));
    }
    values_["common_neighbors.count"] = std::log1p(count);
    values_["common_neighbors.adamic_adar"] = adamic_adar;
    values_["common_neighbors.resource_allocation"] = allocation;
    values_["common_neighbors.count_normalized"] = count / norm_;
    values_["common_neighbors.resource_allocation_normalized"] =
        allocation / norm_;
    values_["common_neighbors.jaccard"] =
        either.empty() ? 0 : count / either.size();
  }

  void CountThreePath(const std::string& name, double product) {
    counts_[name] += 1;
    values_[name + ".root_weight"] += 1 / std::sqrt(product);
    values_[name + ".weight"] += 1 / product;
    values_[name + ".root_weight_normalized"] += 1 / std::sqrt(product) / norm_;
  }

  void AddThreePaths() {
    for (const NodeId x : neighbors_[u_]) {
      for (const NodeId y : neighbors_[x]) {
        if (x == v_ || y == u_ || !neighbors_[y].contains(v_)) continue;
        const double product = Degree(x) * Degree(y);
        const bool first = Typed(u_, x);
        const bool last = Typed(y, v_);
        const auto count = [&](bool holds, const char* kind) {
          if (holds)
            CountThreePath(absl::StrCat("three_paths.", kind), product);
        };
        CountThreePath("three_paths", product);
        count(first, "first_relation");
        count(last, "last_relation");
        count(first && last, "both_relations");
        count(first && last && Typed(y, x), "there_and_back");
        count(first && Alike(x, v_, y), "first_relation_alike");
        count(last && Alike(u_, y, x), "last_relation_alike");
      }
    }
    for (const auto& [name, count] : counts_) {
      values_[name + ".count"] = std::log1p(count);
    }
  }

  void AddDirect() {
    double forward = 0, backward = 0;
    for (size_t r = 0; u_ != v_ && r < graph_.relation_count(); ++r) {
      forward += Has(u_, static_cast<int>(r), v_);
      backward += Has(v_, static_cast<int>(r), u_);
    }
    values_["direct.forward"] = std::log1p(forward);
    values_["direct.backward"] = std::log1p(backward);
    values_["direct.backward_alike"] = std::log1p(u_ != v_ && Typed(v_, u_));
  }

  void AddTypes() {
    for (size_t t = 0; t < graph_.node_type_count(); ++t) {
      const std::string suffix = "." + std::to_string(t);
      values_["type.source" + suffix] = graph_.Type(u_) == t;
      values_["type.target" + suffix] = graph_.Type(v_) == t;
    }
  }

  const GraphSnapshot& graph_;
  const Link query_;
  const NodeId u_, v_;
  double norm_ = 1;
  std::set<Link> links_;
  std::vector<std::set<NodeId>> neighbors_;
  std::map<std::string, double> counts_, values_;
};

std::vector<float> Compute(const PairFeatures& features, const GraphView& view,
                           const Link& link) {
  std::vector<float> values(features.names().size(), std::nanf(""));
  features.Compute(view, link, {}, values);
  return values;
}

TEST(PairFeatures, EqualTheirDefinitionsOnAGraphRebuiltWithoutTheHidden) {
  const PairFeatures features(4, 3, {40, 40, 40, 40, 40});
  std::set<std::string> seen_nonzero;
  ForEachHidingCase({}, 15, 16, [&](const HidingCase& test) {
    const std::vector<float> values =
        Compute(features, test.View(), test.query);
    const PlainFeatures plain(*test.rebuilt, test.query);
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string& name = features.names()[i];
      const auto expected = plain.values().find(name);
      const double value =
          expected == plain.values().end() ? 0 : expected->second;
      ASSERT_NEAR(values[i], value, 1e-5 * std::max(1.0, value))
          << name << ", hiding " << test.hiding;
      if (value != 0) seen_nonzero.insert(name);
    }
  });
  // Every feature was compared, except those of tables, which have tests of
  // their own.
  size_t of_tables = 0;
  for (const std::string& name : features.names()) {
    of_tables += name.rfind("fits.", 0) == 0 ||
                 name.rfind("spectral.", 0) == 0 ||
                 name.rfind("rules.", 0) == 0;
  }
  EXPECT_EQ(seen_nonzero.size(), features.names().size() - of_tables);
}

TEST(PairFeatures, EqualOnTheRebuiltGraphWhenHubsAreSampled) {
  const PairFeatures features(4, 3, {3, 4, 5, 3, 2});
  const PairFeatures whole(4, 3);
  int sampled = 0;
  ForEachHidingCase({}, 15, 16, [&](const HidingCase& test) {
    const std::vector<float> values =
        Compute(features, test.View(), test.query);
    EXPECT_EQ(values, Compute(features, GraphView(*test.rebuilt), test.query));
    sampled += values != Compute(whole, test.View(), test.query);
    for (const float value : values) EXPECT_TRUE(std::isfinite(value));
  });
  EXPECT_GT(sampled, 100);
}

TEST(PairFeatures, SampledSumsAreNearTheWhole) {
  RandomMultigraphOptions options;
  options.nodes = 300;
  options.links = 12000;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 2));
  const GraphView view(*snapshot);
  const PairFeatures sampled(4, 3);
  const PairFeatures whole(4, 3, {300, 300, 300});
  const auto& names = whole.names();
  const size_t weight =
      std::find(names.begin(), names.end(), "three_paths.root_weight") -
      names.begin();
  ASSERT_LT(weight, names.size());
  double ratio = 0;
  for (NodeId node = 0; node < 100; ++node) {
    const Link link{node, 0, node + 100};
    ratio += Compute(sampled, view, link)[weight] /
             Compute(whole, view, link)[weight] / 100;
  }
  EXPECT_NEAR(ratio, 1, 0.05);
}

TEST(PairFeatures, AreFewerWithManyRelationsAndOneType) {
  const PairFeatures few(4, 3), many(17, 1), typed(17, 16), too_many(17, 17);
  EXPECT_EQ(few.names().size(), many.names().size() + 32 + 6);
  EXPECT_EQ(typed.names().size(), many.names().size() + 32);
  EXPECT_EQ(too_many.names(), many.names());
  const std::set<std::string> distinct(few.names().begin(), few.names().end());
  EXPECT_EQ(distinct.size(), few.names().size());
  const PairFeatures walks(4, 3, {.walks = true});
  EXPECT_EQ(walks.names().size(), few.names().size() + WalkVectors::kFeatures);
}

TEST(PairFeatures, SurviveHubsOfAHundredThousandLinks) {
  RandomMultigraphOptions options;
  options.nodes = 150000;
  options.links = 400000;
  options.hubs = 2;
  options.hub_rate = 0.6;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 1));
  const PairFeatures features(4, 3);
  for (NodeId node = 0; node < 200; ++node) {
    const Link link = node % 4 < 2 ? Link{node % 2, 0, node + 1000}
                                   : Link{node + 1000, 0, node % 2};
    GraphView view(*snapshot);
    view.HidePair(link.source, link.target);
    for (const float value : Compute(features, view, link)) {
      EXPECT_TRUE(std::isfinite(value));
    }
  }
  for (const float value : Compute(features, GraphView(*snapshot), {0, 0, 1})) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace slice
