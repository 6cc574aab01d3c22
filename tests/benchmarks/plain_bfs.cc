#include "tests/benchmarks/plain_bfs.h"

#include <queue>

namespace slice {
namespace {

class PlainBfs {
 public:
  PlainBfs(const GraphView& view, NodeId source, NodeId target)
      : view_(view),
        source_(source),
        target_(target),
        hops_(view.node_count(), -1),
        parents_(view.node_count()) {}

  int Search(int max_hops) {
    std::queue<NodeId> queue;
    queue.push(source_);
    hops_[source_] = 0;
    while (!queue.empty()) {
      const NodeId node = queue.front();
      queue.pop();
      // Whoever is as far as the target is no parent of it.
      if (hops_[node] == max_hops || hops_[node] == hops_[target_]) break;
      view_.Neighbors(node).ForEach([&](NodeId next) {
        if (hops_[next] < 0) {
          hops_[next] = hops_[node] + 1;
          queue.push(next);
        }
        if (hops_[next] == hops_[node] + 1) parents_[next].push_back(node);
      });
    }
    return hops_[target_];
  }

  void ListPaths(NodeId node, size_t max_paths,
                 std::vector<std::vector<NodeId>>& paths) {
    for (const NodeId parent : parents_[node]) {
      if (paths.size() == max_paths) return;
      if (parent == source_) {
        paths.emplace_back(path_.rbegin(), path_.rend());
        continue;
      }
      path_.push_back(parent);
      ListPaths(parent, max_paths, paths);
      path_.pop_back();
    }
  }

 private:
  const GraphView& view_;
  const NodeId source_, target_;
  std::vector<int> hops_;
  std::vector<std::vector<NodeId>> parents_;
  std::vector<NodeId> path_;
};

}  // namespace

PlainPaths FindPathsByPlainBfs(const GraphView& view, NodeId source,
                               NodeId target, int max_hops, size_t max_paths) {
  PlainPaths paths;
  PlainBfs search(view, source, target);
  paths.hops = search.Search(max_hops);
  if (paths.hops > 0) search.ListPaths(target, max_paths, paths.inner);
  return paths;
}

}  // namespace slice
