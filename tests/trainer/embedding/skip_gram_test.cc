#include "trainer/embedding/skip_gram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/random.h"
#include "trainer/embedding/skip_gram_kernel.h"

namespace slice {
namespace {

// Rows of both tables, and pointers to them for one step.
struct Fixture {
  Fixture(int inputs, int outputs, int stride, uint64_t seed)
      : stride(stride),
        blocks((inputs + outputs) * stride / kSkipGramLanes),
        scratch((inputs + outputs) * stride / kSkipGramLanes),
        weights(inputs * outputs) {
    Random random(seed);
    for (Block& block : blocks) {
      for (float& value : block.values) {
        value = static_cast<float>(random.Uniform() - 0.5);
      }
    }
    for (int i = 0; i < inputs; ++i) input_rows.push_back(Row(i));
    for (int j = 0; j < outputs; ++j) output_rows.push_back(Row(inputs + j));
  }

  struct alignas(64) Block {
    float values[kSkipGramLanes];
  };

  float* Row(int row) { return blocks[row * stride / kSkipGramLanes].values; }

  SkipGramStep Step() {
    return {input_rows.data(),
            static_cast<int>(input_rows.size()),
            output_rows.data(),
            static_cast<int>(output_rows.size()),
            stride,
            0.1f,
            scratch[0].values,
            weights.data()};
  }

  int stride;
  std::vector<Block> blocks, scratch;
  std::vector<float> weights;
  std::vector<float*> input_rows, output_rows;
};

// The step by its formulas, in double precision; returns the loss.
double ReferenceStep(Fixture& fixture) {
  const auto row = [&](float* from) {
    return std::vector<double>(from, from + fixture.stride);
  };
  std::vector<std::vector<double>> inputs, outputs;
  for (float* from : fixture.input_rows) inputs.push_back(row(from));
  for (float* from : fixture.output_rows) outputs.push_back(row(from));
  double loss = 0;
  std::vector<double> change(fixture.blocks.size() * kSkipGramLanes);
  float* const base = fixture.blocks[0].values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t j = 0; j < outputs.size(); ++j) {
      double dot = 0;
      for (int k = 0; k < fixture.stride; ++k)
        dot += inputs[i][k] * outputs[j][k];
      const double probability = 1 / (1 + std::exp(-dot));
      loss -= std::log(j == 0 ? probability : 1 - probability);
      const double gradient = 0.1 * ((j == 0 ? 1 : 0) - probability);
      for (int k = 0; k < fixture.stride; ++k) {
        change[fixture.input_rows[i] - base + k] += gradient * outputs[j][k];
        change[fixture.output_rows[j] - base + k] += gradient * inputs[i][k];
      }
    }
  }
  for (size_t k = 0; k < change.size(); ++k) {
    base[k] += static_cast<float>(change[k]);
  }
  return loss;
}

void ExpectKernelEqualsReference(SkipGramKernel kernel, int inputs, int outputs,
                                 int stride) {
  Fixture fixture(inputs, outputs, stride, 31);
  Fixture expected(inputs, outputs, stride, 31);
  EXPECT_NEAR(kernel(fixture.Step(), true), ReferenceStep(expected), 1e-3);
  for (size_t block = 0; block < fixture.blocks.size(); ++block) {
    for (int k = 0; k < kSkipGramLanes; ++k) {
      ASSERT_NEAR(fixture.blocks[block].values[k],
                  expected.blocks[block].values[k], 2e-5)
          << inputs << " x " << outputs << " x " << stride;
    }
  }
}

TEST(SkipGramKernelTest, EveryKernelEqualsReference) {
  for (const SkipGramKernel kernel : SupportedSkipGramKernels()) {
    for (const int inputs : {1, 2, 7, 10}) {
      for (const int outputs : {1, 2, 6, 9, 13}) {
        for (const int stride : {16, 48, 64, 128, 208}) {
          ExpectKernelEqualsReference(kernel, inputs, outputs, stride);
        }
      }
    }
  }
}

TEST(SkipGramKernelTest, RowGivenTwiceReceivesBothUpdates) {
  for (const SkipGramKernel kernel : SupportedSkipGramKernels()) {
    Fixture fixture(3, 4, 32, 8), expected(3, 4, 32, 8);
    for (Fixture* one : {&fixture, &expected}) {
      one->input_rows[2] = one->input_rows[0];
      one->output_rows[3] = one->output_rows[1];
    }
    kernel(fixture.Step(), false);
    ReferenceStep(expected);
    for (size_t block = 0; block < fixture.blocks.size(); ++block) {
      for (int k = 0; k < kSkipGramLanes; ++k) {
        ASSERT_NEAR(fixture.blocks[block].values[k],
                    expected.blocks[block].values[k], 2e-5);
      }
    }
  }
}

TEST(SkipGramTest, LossFallsOnRepeatedWalks) {
  const std::vector<uint64_t> counts(20, 5);
  SkipGram tables(counts, {24, 2, 5, 1});
  SkipGramWorker worker(&tables);
  Random random(2);
  const std::vector<NodeId> walk = {0, 1, 2, 0, 1, 2, 0, 1, 2, 1, 0, 2};
  double first = 0, last = 0;
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 20; ++i) worker.Train(walk, 0.05f, random);
    const double loss = worker.TakeMeanLoss();
    if (round == 0) first = loss;
    last = loss;
  }
  EXPECT_LT(last, 0.7 * first);
}

TEST(SkipGramTest, EmbeddingsKeepTheirDimension) {
  const std::vector<uint64_t> counts = {1, 1, 1};
  SkipGram tables(counts, {7, 2, 2, 1});
  SkipGramWorker worker(&tables);
  Random random(2);
  worker.Train(std::vector<NodeId>{0, 1, 2}, 0.05f, random);
  EXPECT_EQ(tables.Embeddings().size(), 21u);
  EXPECT_GE(worker.pairs(), 4u);
}

TEST(SkipGramTest, WalkOfOneNodeTrainsNothing) {
  const std::vector<uint64_t> counts = {1, 1};
  SkipGram tables(counts, {8, 2, 2, 1});
  const std::vector<float> before = tables.Embeddings();
  SkipGramWorker worker(&tables);
  Random random(2);
  worker.Train(std::vector<NodeId>{0}, 0.05f, random);
  EXPECT_EQ(worker.pairs(), 0u);
  EXPECT_EQ(tables.Embeddings(), before);
  EXPECT_TRUE(std::isnan(worker.TakeMeanLoss()));
}

TEST(SkipGramTest, NoiseComesFromTheGroupOfTheCentre) {
  // Nodes are in groups 0 and 1 by turns; walks never visit node 4.
  const std::vector<uint64_t> counts = {1, 16, 81, 256, 0, 625};
  const std::vector<uint32_t> groups = {0, 1, 0, 1, 0, 1};
  const SkipGram tables(counts, {.dim = 8}, groups);
  Random random(1);
  constexpr int kDraws = 40000;
  std::vector<int> drawn(counts.size());
  for (int i = 0; i < kDraws; ++i) ++drawn[tables.DrawNoise(2, random)];
  // In proportion to counts^0.75: 1 and 27.
  EXPECT_NEAR(drawn[0], kDraws / 28.0, 5 * std::sqrt(kDraws / 28.0));
  EXPECT_EQ(drawn[0] + drawn[2], kDraws);
}

}  // namespace
}  // namespace slice
