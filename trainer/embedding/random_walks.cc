// Makes many walks at once. A stage does the same for all walkers: each chooses
// a position in the list of its neighbours; then (with weights) each reads the
// alias cell at its position; then each reads the neighbour there. Each stage
// prefetches what the next one reads, so that the walkers wait for memory
// together.
//
// Plain walks draw the next node by weight. Second-order walks propose a node
// by weight and accept it with a probability (see RandomWalks::accept_return_),
// which depends on the previous node: the one from which the walk came to its
// current node. Whether the proposed and the previous node are neighbours is
// looked up only where it changes the decision, and a PairFilter answers most
// look-ups. Each walker has its own random generator, so that no walk depends
// on the walks made together with it.
#include "trainer/embedding/random_walks.h"

#include <algorithm>
#include <limits>

namespace slice {
namespace {

constexpr uint64_t kReturn = std::numeric_limits<uint64_t>::max();

std::unique_ptr<const PairFilter> MakePairFilter(const WalkGraph& graph) {
  auto pairs = std::make_unique<PairFilter>(graph.arc_count() / 2);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    for (const NodeId neighbor : graph.Neighbors(node)) {
      if (neighbor > node) pairs->Add(PairFilter::Hash(node, neighbor));
    }
  }
  return pairs;
}

}  // namespace

struct RandomWalks::Walker {
  Random random;
  uint64_t row;       // start of the current row, when weighted
  uint64_t position;  // of the next node
  uint32_t bits;      // for KeepsCell(), when weighted
};

struct RandomWalks::SecondOrderWalker {
  Random random;
  NodeId* last;       // the current node, inside the walk
  NodeId* end;        // of the walk
  uint64_t position;  // of the proposed node, or kReturn
  uint64_t pair = 0;  // hash of (proposed node, previous node)
  double draw = 0;    // in [0, 1); accepts when below the probability
  NodeId proposed = 0;
  uint32_t bits = 0;       // for KeepsCell(), when weighted
  uint64_t row = 0;        // start of the current row, when weighted
  float taken_weight = 1;  // of the last step's arc, when weighted
};

RandomWalks::RandomWalks(const WalkGraph& graph,
                         const RandomWalkOptions& options)
    : graph_(&graph), options_(options) {
  const double bound = std::max(1.0, 1 / options.q);
  accept_return_ = std::min(1.0, 1 / options.p / bound);
  return_excess_ = std::max(0.0, 1 / options.p / bound - 1);
  accept_near_ = 1 / bound;
  accept_far_ = 1 / options.q / bound;
  accept_low_ = std::min(accept_near_, accept_far_);
  accept_high_ = std::max(accept_near_, accept_far_);
  if (options.q != 1) pairs_ = MakePairFilter(graph);
}

void RandomWalks::Walk(std::span<const NodeId> starts, uint64_t round,
                       std::span<NodeId> walks) const {
  if (graph_->is_weighted()) {
    WalkAll<true>(starts, round, walks);
  } else {
    WalkAll<false>(starts, round, walks);
  }
}

template <bool kWeighted>
void RandomWalks::WalkAll(std::span<const NodeId> starts, uint64_t round,
                          std::span<NodeId> walks) const {
  const size_t length = options_.length;
  std::vector<Walker> walkers;
  walkers.reserve(starts.size());
  const uint64_t seed = CombineHash(options_.seed, round);
  for (size_t i = 0; i < starts.size(); ++i) {
    walkers.push_back({Random(CombineHash(seed, starts[i])), 0, 0, 0});
    walks[i * length] = starts[i];
  }
  if (options_.p == 1 && options_.q == 1) {
    StepUniformly<kWeighted>(walkers, 1, length, walks);
  } else if (length > 1) {
    StepUniformly<kWeighted>(walkers, 1, 2, walks);
    StepSecondOrder<kWeighted>(walkers, walks);
  }
}

template <bool kWeighted>
void RandomWalks::StepUniformly(std::span<Walker> walkers, size_t begin,
                                size_t end, std::span<NodeId> walks) const {
  const size_t length = options_.length;
  // First all walkers choose, then all step, so that their reads overlap.
  for (size_t step = begin; step < end; ++step) {
    for (size_t i = 0; i < walkers.size(); ++i) {
      Walker& walker = walkers[i];
      const NodeId current = walks[i * length + step - 1];
      const uint64_t row = graph_->RowStart(current);
      const uint64_t bits = walker.random();
      walker.position = row + DrawnCell(bits, graph_->Degree(current));
      if constexpr (kWeighted) {
        walker.row = row;
        walker.bits = static_cast<uint32_t>(bits);
        graph_->PrefetchCell(walker.position);
      } else {
        graph_->PrefetchNeighbor(walker.position);
      }
    }
    if constexpr (kWeighted) {
      for (Walker& walker : walkers) {
        const AliasCell& cell = graph_->CellAt(walker.position);
        if (!KeepsCell(walker.bits, cell)) {
          walker.position = walker.row + cell.other;
        }
        graph_->PrefetchNeighbor(walker.position);
      }
    }
    for (size_t i = 0; i < walkers.size(); ++i) {
      const NodeId next = graph_->NeighborAt(walkers[i].position);
      walks[i * length + step] = next;
      graph_->PrefetchRow(next);
    }
  }
}

// Rejection sampling (Yang et al., KnightKing, SOSP 2019): propose a neighbour
// by weight alone, and accept it with probability factor / largest factor. This
// is exact. Unlike the original node2vec it needs no table per edge. The return
// to the previous node is proposed as a case of its own ("folding" in
// KnightKing). Otherwise, with a small p, its factor would be so large that
// nearly all other proposals would be refused.
template <bool kWeighted>
void RandomWalks::StepSecondOrder(std::span<const Walker> walkers,
                                  std::span<NodeId> walks) const {
  const size_t length = options_.length;
  std::vector<SecondOrderWalker> states;
  std::vector<SecondOrderWalker*> active, undecided;
  states.reserve(walkers.size());
  for (size_t i = 0; i < walkers.size(); ++i) {
    NodeId* const walk = &walks[i * length];
    states.push_back({.random = walkers[i].random,
                      .last = walk + 1,
                      .end = walk + length,
                      .position = walkers[i].position});
    if constexpr (kWeighted) {
      states.back().taken_weight = graph_->WeightAt(walkers[i].position);
    }
    active.push_back(&states.back());
  }
  while (!active.empty()) {
    std::erase_if(active, [](const SecondOrderWalker* walker) {
      return walker->last + 1 == walker->end;
    });
    for (SecondOrderWalker* walker : active) Propose<kWeighted>(*walker);
    if constexpr (kWeighted) {
      for (SecondOrderWalker* walker : active) {
        if (walker->position == kReturn) continue;
        const AliasCell& cell = graph_->CellAt(walker->position);
        if (!KeepsCell(walker->bits, cell)) {
          walker->position = walker->row + cell.other;
        }
        graph_->PrefetchNeighbor(walker->position);
      }
    }
    undecided.clear();
    for (SecondOrderWalker* walker : active) {
      if (!Decide(*walker)) undecided.push_back(walker);
    }
    for (SecondOrderWalker* walker : undecided) {
      const bool near =
          pairs_->MayHave(walker->pair) &&
          graph_->AreNeighbors(walker->proposed, walker->last[-1]);
      if (walker->draw < (near ? accept_near_ : accept_far_)) Accept(*walker);
    }
  }
}

// Proposes a position, or the return to the previous node. One random number
// serves twice. Its integer part chooses the position. Its fraction later
// decides whether to accept; with weights it decides about the alias cell
// instead, and a second number about acceptance.
template <bool kWeighted>
void RandomWalks::Propose(SecondOrderWalker& walker) const {
  const NodeId current = *walker.last;
  const uint32_t degree = graph_->Degree(current);
  double excess = return_excess_;
  if constexpr (kWeighted) {
    excess *= walker.taken_weight / graph_->MeanWeight(current);
  }
  const double draw = walker.random.Uniform() * (degree + excess);
  if (draw >= degree) {
    walker.position = kReturn;
    return;
  }
  const auto place = static_cast<uint32_t>(draw);
  walker.draw = draw - place;
  walker.position = graph_->RowStart(current) + place;
  if constexpr (kWeighted) {
    walker.row = graph_->RowStart(current);
    walker.bits = static_cast<uint32_t>(walker.draw * 0x1.0p32);
    walker.draw = walker.random.Uniform();
    graph_->PrefetchCell(walker.position);
  } else {
    graph_->PrefetchNeighbor(walker.position);
  }
}

// Accepts or refuses the proposal. Returns false, without a decision, when this
// depends on whether the proposed and the previous node are neighbours.
bool RandomWalks::Decide(SecondOrderWalker& walker) const {
  const NodeId previous = walker.last[-1];
  if (walker.position == kReturn) {
    walker.proposed = previous;
    Accept(walker);
    return true;
  }
  walker.proposed = graph_->NeighborAt(walker.position);
  if (walker.proposed == previous) {
    if (walker.draw < accept_return_) Accept(walker);
    return true;
  }
  if (walker.draw < accept_low_) {
    Accept(walker);
    return true;
  }
  if (walker.draw >= accept_high_) return true;
  walker.pair = PairFilter::Hash(walker.proposed, previous);
  pairs_->Prefetch(walker.pair);
  return false;
}

void RandomWalks::Accept(SecondOrderWalker& walker) const {
  *++walker.last = walker.proposed;
  graph_->PrefetchRow(walker.proposed);
  // A return takes the last arc again, so that its weight stays the same.
  if (graph_->is_weighted() && walker.position != kReturn) {
    walker.taken_weight = graph_->WeightAt(walker.position);
  }
}

}  // namespace slice
