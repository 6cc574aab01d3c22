// Trains the two tables of skip-gram. Noise comes from alias tables over
// counts^0.75. A worker goes through a walk centre by centre. It draws the
// noise of the next centre, whose rows are fetched in the meantime, and runs
// the kernel on the current centre. Rows start on cache lines and are padded
// with zeros to whole blocks of kSkipGramLanes floats. The padding stays zero,
// since the gradient of a row is a sum of multiples of other rows.
#include "trainer/embedding/skip_gram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/huge_pages.h"
#include "common/prefetch.h"

namespace slice {
namespace {

constexpr uint64_t kMeasureEvery = 16;

std::vector<double> NoiseWeights(std::span<const uint64_t> counts) {
  std::vector<double> weights(counts.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    weights[i] = std::pow(static_cast<double>(counts[i]), 0.75);
  }
  return weights;
}

void PrefetchRowForWriting(const float* row, size_t blocks) {
  for (size_t block = 0; block < blocks; ++block) {
    PrefetchToWrite(row + block * kSkipGramLanes);
  }
}

}  // namespace

SkipGram::SkipGram(std::span<const uint64_t> counts,
                   const SkipGramOptions& options,
                   std::span<const uint32_t> groups)
    : options_(options),
      nodes_(counts.size()),
      blocks_((options.dim + kSkipGramLanes - 1) / kSkipGramLanes),
      noise_(NoiseWeights(counts), groups) {
  for (auto* table : {&inputs_, &outputs_}) {
    ReserveHugePages(nodes_ * blocks_, table);
    table->resize(nodes_ * blocks_, Block{});
  }
  Random random(CombineHash(options.seed, 0x696e7075747321));
  for (NodeId node = 0; node < nodes_; ++node) {
    float* const row = InputRow(node);
    for (int k = 0; k < options.dim; ++k) {
      row[k] = static_cast<float>((random.Uniform() - 0.5) / options.dim);
    }
  }
}

std::vector<float> SkipGram::Copy(const std::vector<Block>& table) const {
  std::vector<float> vectors(nodes_ * options_.dim);
  for (size_t node = 0; node < nodes_; ++node) {
    const float* const row = table[node * blocks_].values;
    std::copy(row, row + options_.dim, vectors.begin() + node * options_.dim);
  }
  return vectors;
}

bool SkipGram::IsFinite() const {
  // A sum with a NaN or an infinity in it is not finite.
  double sum = 0;
  for (const std::vector<Block>* table : {&inputs_, &outputs_}) {
    for (const Block& block : *table)
      for (const float value : block.values) sum += std::abs(double{value});
  }
  return std::isfinite(sum);
}

SkipGramWorker::SkipGramWorker(SkipGram* tables)
    : tables_(tables),
      kernel_(SupportedSkipGramKernels().front()),
      scratch_((2 * tables->options_.window + 1 + tables->options_.negatives) *
               tables->blocks_),
      weights_(2 * tables->options_.window * (1 + tables->options_.negatives)),
      outputs_(1 + tables->options_.negatives),
      next_outputs_(1 + tables->options_.negatives) {
  inputs_.reserve(2 * tables->options_.window);
}

void SkipGramWorker::DrawNoise(NodeId centre, Random& random, float** rows) {
  rows[0] = tables_->OutputRow(centre);
  for (int j = 1; j <= tables_->options_.negatives; ++j) {
    NodeId noise = tables_->DrawNoise(centre, random);
    // A node should not be pushed away from itself. There is only one second
    // draw: when the centre is the only node with a count, drawing until the
    // nodes differ would never end.
    if (noise == centre) noise = tables_->DrawNoise(centre, random);
    rows[j] = tables_->OutputRow(noise);
  }
  for (int j = 0; j <= tables_->options_.negatives; ++j) {
    PrefetchRowForWriting(rows[j], tables_->blocks_);
  }
}

void SkipGramWorker::Train(std::span<const NodeId> walk, float learning_rate,
                           Random& random) {
  const SkipGramOptions& options = tables_->options_;
  if (walk.size() < 2) return;
  DrawNoise(walk[0], random, next_outputs_.data());
  for (size_t centre = 0; centre < walk.size(); ++centre) {
    // The rows of the next centre are fetched while this one is computed.
    std::swap(outputs_, next_outputs_);
    if (centre + 1 < walk.size()) {
      DrawNoise(walk[centre + 1], random, next_outputs_.data());
    }
    const size_t reach = 1 + random.Below(options.window);
    const size_t begin = centre - std::min(centre, reach);
    const size_t end = std::min(walk.size(), centre + reach + 1);
    inputs_.clear();
    for (size_t i = begin; i < end; ++i) {
      if (i != centre) inputs_.push_back(tables_->InputRow(walk[i]));
    }
    const bool measure = ++centres_ % kMeasureEvery == 0;
    const SkipGramStep step = {
        inputs_.data(),
        static_cast<int>(inputs_.size()),
        outputs_.data(),
        static_cast<int>(outputs_.size()),
        static_cast<int>(tables_->blocks_ * kSkipGramLanes),
        learning_rate,
        scratch_[0].values,
        weights_.data()};
    const double loss = kernel_(step, measure);
    pairs_ += inputs_.size();
    if (measure) {
      loss_sum_ += loss;
      loss_pairs_ += inputs_.size();
    }
  }
}

double SkipGramWorker::TakeMeanLoss() {
  const double mean = loss_pairs_ == 0
                          ? std::numeric_limits<double>::quiet_NaN()
                          : loss_sum_ / static_cast<double>(loss_pairs_);
  loss_sum_ = 0;
  loss_pairs_ = 0;
  return mean;
}

}  // namespace slice
