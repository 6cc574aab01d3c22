// The drawing takes two steps. TreeBuilder turns the links of a context into a
// tree: it merges links with the same source and the same target, visits the
// tokens breadth first, and puts each link below the end that was visited
// first. TreePainter writes the tree, one line per link. A node that several
// links reach has its own links below it in one place only; elsewhere an upward
// arrow stands behind it.
#include "client/drawing/context_drawing.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/drawing/drawing_parts.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();
constexpr size_t kMinNameWidth = 12;

// The links with the same source and the same target. They are drawn as one.
struct MergedLink {
  size_t source;
  size_t target;
  std::vector<std::string> relations;
};

class TreeBuilder {
 public:
  explicit TreeBuilder(const LinkExplanation& explanation)
      : explanation_(explanation),
        incident_(explanation.tokens.size()),
        order_(explanation.tokens.size(), kNone),
        parent_link_(explanation.tokens.size(), kNone) {
    MergeLinks();
    target_ = TokenWithRole(ExplainedRole::kTarget);
  }

  ContextTree Build() {
    const size_t source = TokenWithRole(ExplainedRole::kSource);
    if (source != kNone) VisitFrom(source);
    if (target_ != kNone) VisitFrom(target_);
    for (size_t token = 0; token < order_.size(); ++token) {
      if (order_[token] == kNone &&
          explanation_.tokens[token].kind == ExplainedKind::kNode)
        VisitFrom(token);
    }
    // The target is drawn last.
    std::stable_partition(roots_.begin(), roots_.end(),
                          [&](size_t root) { return root != target_; });
    ContextTree tree{roots_, {}};
    tree.links.resize(order_.size());
    for (size_t link = 0; link < merged_.size(); ++link) Place(link, &tree);
    return tree;
  }

 private:
  size_t TokenWithRole(ExplainedRole role) const {
    for (size_t i = 0; i < explanation_.tokens.size(); ++i) {
      if (explanation_.tokens[i].kind == ExplainedKind::kNode &&
          explanation_.tokens[i].role == role)
        return i;
    }
    return kNone;
  }

  void MergeLinks() {
    std::map<std::pair<size_t, size_t>, size_t> by_ends;
    for (const ExplainedEdge& edge : explanation_.edges) {
      const auto [entry, inserted] = by_ends.emplace(
          std::make_pair(edge.source, edge.target), merged_.size());
      if (inserted) {
        merged_.push_back({edge.source, edge.target, {}});
        incident_[edge.source].push_back(entry->second);
        if (edge.target != edge.source)
          incident_[edge.target].push_back(entry->second);
      }
      merged_[entry->second].relations.push_back(edge.relation);
    }
    for (MergedLink& link : merged_)
      std::sort(link.relations.begin(), link.relations.end());
  }

  size_t OtherEnd(size_t link, size_t token) const {
    return merged_[link].source == token ? merged_[link].target
                                         : merged_[link].source;
  }

  void VisitFrom(size_t root) {
    roots_.push_back(root);
    order_[root] = visited_++;
    std::deque<size_t> waiting = {root};
    while (!waiting.empty()) {
      const size_t token = waiting.front();
      waiting.pop_front();
      for (const size_t link : incident_[token]) {
        const size_t other = OtherEnd(link, token);
        if (order_[other] != kNone || other == target_) continue;
        order_[other] = visited_++;
        parent_link_[other] = link;
        waiting.push_back(other);
      }
    }
  }

  // Puts a link below the end that was visited first.
  void Place(size_t link, ContextTree* tree) const {
    const MergedLink& merged = merged_[link];
    const bool out = order_[merged.source] <= order_[merged.target];
    const size_t near = out ? merged.source : merged.target;
    const size_t far = out ? merged.target : merged.source;
    tree->links[near].push_back({far, merged.relations,
                                 out ? ArcDirection::kOut : ArcDirection::kIn,
                                 parent_link_[far] == link});
  }

  const LinkExplanation& explanation_;
  std::vector<MergedLink> merged_;
  std::vector<std::vector<size_t>> incident_;  // token -> merged links
  std::vector<size_t> order_;        // token -> how many were visited before
  std::vector<size_t> parent_link_;  // token -> the link that reached it first
  std::vector<size_t> roots_;
  size_t target_ = kNone;
  size_t visited_ = 0;
};

class TreePainter {
 public:
  TreePainter(const LinkExplanation& explanation, const TextStyle& style)
      : explanation_(explanation),
        style_(style),
        tree_(BuildContextTree(explanation)) {}

  std::string Paint(size_t indent) {
    for (const size_t root : tree_.roots) {
      const std::string margin(indent, ' ');
      std::string note;
      if (root != tree_.roots.front() && !HasLinks(root))
        note = style_.Paint(TextColor::kFaint, "  no link to the others");
      text_ += margin + Node(root, indent) + note + "\n";
      PaintLinks(root, margin);
    }
    return std::move(text_);
  }

 private:
  bool HasLinks(size_t token) const {
    return std::any_of(explanation_.edges.begin(), explanation_.edges.end(),
                       [&](const ExplainedEdge& edge) {
                         return edge.source == token || edge.target == token;
                       });
  }

  // A node with its type. Its name is cut to fit on a line of which `used`
  // columns are taken.
  std::string Node(size_t token, size_t used) const {
    const ExplainedToken& explained = explanation_.tokens[token];
    std::string type = ShownType(explained.node);
    if (!type.empty()) type = absl::StrCat(" (", style_.Name(type), ")");
    used += 2 + DisplayWidth(type);
    const size_t width =
        std::max(kMinNameWidth, style_.width - std::min(style_.width, used));
    return absl::StrCat(
        style_.Paint(RoleColor(explained.role),
                     absl::StrCat(RoleGlyph(explained.role, style_), " ",
                                  style_.Name(explained.node.Label(), width))),
        style_.Paint(TextColor::kFaint, type));
  }

  void PaintLinks(size_t token, const std::string& margin) {
    const Glyphs& glyphs = style_.glyphs();
    const std::vector<DrawnLink>& links = tree_.links[token];
    for (size_t i = 0; i < links.size(); ++i) {
      const DrawnLink& link = links[i];
      const bool last = i + 1 == links.size();
      const bool out = link.direction == ArcDirection::kOut;
      const std::string relations =
          style_.Name(absl::StrJoin(link.relations, ", "));
      const std::string arrow = absl::StrCat(
          last ? glyphs.last_branch : glyphs.branch,
          out ? glyphs.horizontal : glyphs.to_left, glyphs.horizontal, " ",
          relations, " ", glyphs.horizontal,
          out ? glyphs.to_right : glyphs.horizontal, " ");
      const bool again =
          !link.expands && link.other != token &&
          explanation_.tokens[link.other].role != ExplainedRole::kTarget;
      text_ += margin + style_.Paint(TextColor::kFaint, arrow);
      text_ += link.other == token
                   ? "itself"
                   : Node(link.other,
                          DisplayWidth(margin) + DisplayWidth(arrow) + 2);
      // The arrow says that the node's own links are drawn elsewhere.
      if (again)
        text_ += style_.Paint(TextColor::kFaint, style_.unicode ? " ↑" : " ^");
      text_ += "\n";
      if (link.expands)
        PaintLinks(link.other,
                   absl::StrCat(margin, last ? " " : glyphs.vertical, "   "));
    }
  }

  const LinkExplanation& explanation_;
  const TextStyle& style_;
  const ContextTree tree_;
  std::string text_;
};

}  // namespace

ContextTree BuildContextTree(const LinkExplanation& explanation) {
  return TreeBuilder(explanation).Build();
}

std::string DrawContextTree(const LinkExplanation& explanation,
                            const TextStyle& style, size_t indent) {
  return TreePainter(explanation, style).Paint(indent);
}

const char* RoleGlyph(ExplainedRole role, const TextStyle& style) {
  switch (role) {
    case ExplainedRole::kSource:
      return style.glyphs().source;
    case ExplainedRole::kTarget:
      return style.glyphs().target;
    default:
      return style.glyphs().between;
  }
}

TextColor RoleColor(ExplainedRole role) {
  switch (role) {
    case ExplainedRole::kSource:
      return TextColor::kSource;
    case ExplainedRole::kTarget:
      return TextColor::kTarget;
    default:
      return TextColor::kPlain;
  }
}

}  // namespace slice
