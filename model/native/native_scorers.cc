// A perceptron computes the structural logits from the pair features. They are
// the logits of the structural scorer. Each of the other two scorers adds a
// score of its own to them:
//   ends      a perceptron over [u, v, u * v, relation] of the token embeddings
//             of the two ends, before any layer;
//   context   with ScoreHead::kPair a perceptron over [u, v, u * v, mean of the
//             tokens, relation] of the encoded tokens; with ScoreHead::kDot the
//             dot product of the projected readouts of the two ends
// With kDot both questions get the same dot product, and the ends scorer adds
// nothing. The tokens that are read later (token embeddings, layers of the
// readout) are copied to ChunkState while the layers run, because each layer
// overwrites state.x.
#include "model/native/native_scorers.h"

#include <algorithm>
#include <vector>

#include "model/native/native_kernels.h"
#include "model/native/weight_layout.h"
#include "model/prediction.h"

namespace slice {
namespace {

constexpr size_t kOutputs = kScorers * kQuestions;

// The first column of a scorer in a row of outputs.
constexpr size_t Column(Scorer scorer) {
  return static_cast<size_t>(scorer) * kQuestions;
}

// logits[row] += layer(gelu(hidden[row])) for `rows` rows of layer.stride()
// floats.
void AddLogits(const LogitLayer& layer, AlignedVector<float>& hidden,
               size_t rows, const OutputRows& logits) {
  ApplyGelu(hidden.data(), rows * layer.stride());
  layer.Add(hidden.data(), rows, logits);
}

void ClearLogits(size_t rows, const OutputRows& logits) {
  for (size_t row = 0; row < rows; ++row) {
    std::fill_n(logits.first + row * logits.stride, kQuestions, 0.0f);
  }
}

// Lists the columns of `values` [rows, width] that differ between rows.
void FindVaryingColumns(const float* values, size_t rows, size_t width,
                        std::vector<uint32_t>& columns) {
  thread_local std::vector<uint32_t> differs;
  differs.assign(width, 0);
  MarkVarying(values, rows, width, differs.data());
  columns.clear();
  for (uint32_t i = 0; i < width; ++i) {
    if (differs[i] != 0) columns.push_back(i);
  }
}

}  // namespace

NativeScorers::NativeScorers(const NetworkWeights& weights,
                             const NetworkOptions& options, size_t token_width,
                             WeightFormat format)
    : options_(options),
      dim_(static_cast<size_t>(options.hidden_dim)),
      width_(token_width) {
  if (options.pair_features > 0) {
    structural1_ =
        RelationLayer(weights, "structural_weight1", "structural_bias1",
                      "structural_relation_embedding");
    structural_norm_ =
        LayerNorm(weights, "structural_norm", structural1_.width());
    structural2_ = PackLinear(weights, "structural_", "2");
    structural3_ =
        LogitLayer(weights, "structural_", "3", structural1_.width());
  }
  if (options.head == ScoreHead::kPair) {
    head1_ = RelationLayer(weights, "head_weight1", "head_bias1",
                           "head_relation_embedding", format);
    head2_ = LogitLayer(weights, "head_", "2", head1_.width());
    ends1_ = RelationLayer(weights, "ends_weight1", "ends_bias1",
                           "ends_relation_embedding", format);
    ends2_ = LogitLayer(weights, "ends_", "2", ends1_.width());
  } else if (options.projection == Projection::kLinear) {
    project1_ = PackLinear(weights, "head_", "", format);
  } else if (options.projection == Projection::kFeedForward) {
    project1_ = PackLinear(weights, "head_", "1", format);
    project2_ = PackLinear(weights, "head_", "2", format);
  }
}

// Copies the source and target token of every row to `to` [rows, 2, stride].
// Each token goes to the columns from `at` on.
void NativeScorers::KeepEnds(const ChunkState& state, size_t stride, size_t at,
                             AlignedVector<float>& to) const {
  const auto rows = static_cast<size_t>(state.end - state.begin);
  to.resize(rows * 2 * stride);
  const float* x = state.x.data();
  for (size_t row = 0; row < rows; ++row) {
    for (size_t end = 0; end < 2; ++end) {
      std::copy_n(x + end * width_, dim_,
                  to.data() + (row * 2 + end) * stride + at);
    }
    x += static_cast<size_t>(state.batch->row_tokens[state.begin + row]) *
         width_;
  }
}

void NativeScorers::KeepTokens(ChunkState& state) const {
  if (options_.head == ScoreHead::kPair) {
    KeepEnds(state, dim_, 0, state.ends);
  }
}

void NativeScorers::KeepLayer(ChunkState& state, size_t index) const {
  if (options_.head != ScoreHead::kDot ||
      options_.readout == LayerReadout::kLast) {
    return;
  }
  const auto all = static_cast<size_t>(options_.layers);
  const auto read = static_cast<size_t>(LayersRead(options_));
  if (index + read < all) return;
  KeepEnds(state, read * dim_, (index + read - all) * dim_, state.readout);
}

// Runs the structural scorer from its first activation on. `first` [rows,
// width] are the outputs of its first linear layer.
void NativeScorers::FinishStructural(AlignedVector<float>& first, size_t rows,
                                     const OutputRows& logits) const {
  const size_t width = structural1_.width();
  ClearLogits(rows, logits);
  ApplyGelu(first.data(), rows * width);
  structural_norm_.Run(first.data(), rows, first.data());
  thread_local AlignedVector<float> second;
  second.resize(rows * width);
  structural2_.Multiply({first.data(), width, rows}, {second.data(), width});
  AddLogits(structural3_, second, rows, logits);
}

void NativeScorers::Structural(const int64_t* relations,
                               const float* pair_features, size_t rows,
                               const OutputRows& logits) const {
  if (options_.pair_features == 0) {
    ClearLogits(rows, logits);
    return;
  }
  const size_t width = structural1_.width();
  thread_local AlignedVector<float> first;
  first.resize(rows * width);
  for (size_t row = 0; row < rows; ++row) {
    structural1_.Start(relations[row], first.data() + row * width);
  }
  structural1_.Add({pair_features, structural1_.in(), rows}, first.data());
  FinishStructural(first, rows, logits);
}

void NativeScorers::StructuralOfRelation(int64_t relation,
                                         const float* pair_features,
                                         size_t rows, float* logits) const {
  if (options_.pair_features == 0 || rows == 0) {
    std::fill_n(logits, rows * kQuestions, 0.0f);
    return;
  }
  const size_t in = structural1_.in();
  const size_t width = structural1_.width();
  thread_local std::vector<uint32_t> varying;
  FindVaryingColumns(pair_features, rows, in, varying);
  thread_local std::vector<float> same;
  same.assign(pair_features, pair_features + in);
  for (const uint32_t column : varying) same[column] = 0;
  thread_local AlignedVector<float> base, first;
  base.resize(width);
  structural1_.Start(relation, base.data());
  structural1_.Add({same.data(), in, 1}, base.data());
  first.resize(rows * width);
  structural1_.RunColumns(varying, base.data(), {pair_features, in, rows},
                          first.data());
  FinishStructural(first, rows, {logits, kQuestions});
}

void NativeScorers::Score(ChunkState& state, float* logits) const {
  const auto rows = static_cast<size_t>(state.end - state.begin);
  const ContextBatch& batch = *state.batch;
  Structural(batch.relation.data() + state.begin,
             batch.pair_features.data() + state.begin * batch.pair_features_dim,
             rows, {logits + Column(Scorer::kStructural), kOutputs});
  for (size_t row = 0; row < rows; ++row) {
    float* of_row = logits + row * kOutputs;
    for (const Scorer scorer : {Scorer::kContext, Scorer::kEnds}) {
      std::copy_n(of_row + Column(Scorer::kStructural), kQuestions,
                  of_row + Column(scorer));
    }
  }
  if (options_.head == ScoreHead::kPair) {
    ScorePair(state, logits);
  } else {
    ScoreDot(state, logits);
  }
}

void NativeScorers::ScorePair(ChunkState& state, float* logits) const {
  const auto rows = static_cast<size_t>(state.end - state.begin);
  const ContextBatch& batch = *state.batch;
  // state.normal holds the inputs of two perceptrons, one after the other, each
  // with rows of `in` floats: `embedded` has [u, v, u * v] of the token
  // embeddings, `encoded` has [u, v, u * v, mean] of the encoded tokens.
  const size_t in = head1_.in();
  AlignedVector<float>& ends = state.ends;
  state.normal.resize(std::max(state.normal.size(), 2 * rows * in));
  float* embedded = state.normal.data();
  float* encoded = embedded + rows * in;
  const float* x = state.x.data();
  for (size_t row = 0; row < rows; ++row) {
    const auto tokens =
        static_cast<size_t>(batch.row_tokens[state.begin + row]);
    float* of_ends = std::copy_n(ends.data() + row * 2 * dim_, 2 * dim_,
                                 embedded + row * in);
    float* z = encoded + row * in;
    std::copy_n(x, dim_, z);
    std::copy_n(x + width_, dim_, z + dim_);
    for (size_t i = 0; i < dim_; ++i) {
      of_ends[i] = of_ends[i - 2 * dim_] * of_ends[i - dim_];
      z[2 * dim_ + i] = z[i] * z[dim_ + i];
    }
    float* pool = z + 3 * dim_;
    std::fill_n(pool, dim_, 0.0f);
    for (size_t token = 0; token < tokens; ++token, x += width_) {
      for (size_t i = 0; i < dim_; ++i) pool[i] += x[i];
    }
    for (size_t i = 0; i < dim_; ++i) pool[i] /= static_cast<float>(tokens);
  }
  const auto run = [&](const RelationLayer& first, const LogitLayer& second,
                       const float* from, Scorer scorer) {
    state.hidden.resize(rows * first.width());
    for (size_t row = 0; row < rows; ++row) {
      first.Start(batch.relation[state.begin + row],
                  state.hidden.data() + row * first.width());
    }
    first.Add({from, in, rows}, state.hidden.data());
    AddLogits(second, state.hidden, rows, {logits + Column(scorer), kOutputs});
  };
  run(ends1_, ends2_, embedded, Scorer::kEnds);
  run(head1_, head2_, encoded, Scorer::kContext);
}

void NativeScorers::ScoreDot(ChunkState& state, float* logits) const {
  const auto rows = static_cast<size_t>(state.end - state.begin);
  size_t size = dim_ * static_cast<size_t>(LayersRead(options_));
  if (options_.readout == LayerReadout::kLast || options_.layers == 0) {
    KeepEnds(state, size, 0, state.readout);
  } else if (options_.readout == LayerReadout::kLastFourSummed) {
    for (size_t end = 0; end < 2 * rows; ++end) {
      float* sum = state.readout.data() + end * dim_;
      const float* parts = state.readout.data() + end * size;
      for (size_t i = 0; i < dim_; ++i) {
        float total = 0;
        for (size_t part = i; part < size; part += dim_) total += parts[part];
        sum[i] = total;
      }
    }
    size = dim_;
  }
  const float* z = state.readout.data();
  size_t stride = size;
  if (options_.projection != Projection::kNone) {
    stride = project1_.width();
    state.hidden.resize(2 * rows * stride);
    project1_.Multiply({z, size, 2 * rows}, {state.hidden.data(), stride});
    z = state.hidden.data();
    size = project1_.out();
  }
  if (options_.projection == Projection::kFeedForward) {
    ApplyRelu(state.hidden.data(), 2 * rows * stride);
    state.normal.resize(
        std::max(state.normal.size(), 2 * rows * project2_.width()));
    project2_.Multiply({z, stride, 2 * rows},
                       {state.normal.data(), project2_.width()});
    z = state.normal.data();
    stride = project2_.width();
    size = project2_.out();
  }
  for (size_t row = 0; row < rows; ++row) {
    const float* u = z + row * 2 * stride;
    const float* v = u + stride;
    float product = 0;
    for (size_t i = 0; i < size; ++i) product += u[i] * v[i];
    for (int question = 0; question < kQuestions; ++question) {
      logits[row * kOutputs + Column(Scorer::kContext) + question] += product;
    }
  }
}

}  // namespace slice
