#include "trainer/methods/knowledge/knowledge_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>
#include <vector>

namespace slice {
namespace {

constexpr size_t kDim = 6, kNodes = 1, kRelations = 4;

// The linear map of a question, [kDim, kDim] row-major: column k is what
// becomes of the unit vector k once the translation is taken away.
std::vector<float> MapOf(KnowledgeForm form, uint64_t seed, RelationId relation,
                         Direction direction) {
  KnowledgeTables tables =
      KnowledgeTables::Random(form, kDim, kNodes, kRelations, seed);
  const auto apply = [&](std::span<const float> vector) {
    std::copy(vector.begin(), vector.end(), tables.entities.begin());
    std::vector<float> point(kDim);
    tables.Query({0, relation, direction}, point);
    return point;
  };
  const std::vector<float> zero(kDim);
  const std::vector<float> translation = apply(zero);
  std::vector<float> map(kDim * kDim);
  for (size_t k = 0; k < kDim; ++k) {
    std::vector<float> unit(kDim);
    unit[k] = 1;
    const std::vector<float> point = apply(unit);
    for (size_t i = 0; i < kDim; ++i) {
      map[i * kDim + k] = point[i] - translation[i];
    }
  }
  return map;
}

class ReflectionProperty : public testing::TestWithParam<uint64_t> {};

// In the plane of every pair of coordinates the map of RefE is orthogonal, is
// its own inverse and has the determinant -1: a reflection in a line. It leaves
// all other planes alone.
TEST_P(ReflectionProperty, RefeReflectsEveryPairOfCoordinates) {
  for (RelationId relation = 0; relation < kRelations; ++relation) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const std::vector<float> map =
          MapOf(KnowledgeForm::kReflection, GetParam(), relation, direction);
      for (size_t i = 0; i < kDim; ++i) {
        for (size_t j = 0; j < kDim; ++j) {
          EXPECT_NEAR(map[i * kDim + j], map[j * kDim + i], 1e-6);
          if (i / 2 != j / 2) {
            EXPECT_NEAR(map[i * kDim + j], 0, 1e-6);
          }
          float twice = 0;
          for (size_t k = 0; k < kDim; ++k) {
            twice += map[i * kDim + k] * map[k * kDim + j];
          }
          EXPECT_NEAR(twice, i == j ? 1 : 0, 1e-5);
        }
      }
      for (size_t i = 0; i < kDim; i += 2) {
        const float* const row = map.data() + i * kDim + i;
        EXPECT_NEAR(row[0] * row[kDim + 1] - row[1] * row[kDim], -1, 1e-5);
      }
    }
  }
}

// RotE turns instead: the determinant of every pair is 1.
TEST_P(ReflectionProperty, RoteTurnsEveryPairOfCoordinates) {
  const std::vector<float> map =
      MapOf(KnowledgeForm::kRotation, GetParam(), 1, Direction::kOut);
  for (size_t i = 0; i < kDim; i += 2) {
    const float* const row = map.data() + i * kDim + i;
    EXPECT_NEAR(row[0] * row[kDim + 1] - row[1] * row[kDim], 1, 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReflectionProperty,
                         testing::Range<uint64_t>(1, 8));

TEST(KnowledgeTablesTest, ATranslationIsGoneBackwardsAndNothingElseIs) {
  EXPECT_EQ(KnowledgeTables::RelationRows(KnowledgeForm::kTranslation, 3), 3u);
  const auto back = KnowledgeTables::SignedRowOf(KnowledgeForm::kTranslation, 2,
                                                 Direction::kIn);
  EXPECT_EQ(back.row, 2u);
  EXPECT_EQ(back.sign, -1);
  for (const KnowledgeForm form :
       {KnowledgeForm::kRotation, KnowledgeForm::kReflection,
        KnowledgeForm::kAttention, KnowledgeForm::kProduct}) {
    EXPECT_EQ(KnowledgeTables::RelationRows(form, 3), 6u);
    const auto way = KnowledgeTables::SignedRowOf(form, 2, Direction::kIn);
    EXPECT_EQ(way.row, 5u);
    EXPECT_EQ(way.sign, 1);
  }
}

// The score of ComplEx, Re sum h r conj(t), written with complex numbers.
TEST(KnowledgeTablesTest, AProductIsThatOfComplexNumbers) {
  const KnowledgeTables tables =
      KnowledgeTables::Random(KnowledgeForm::kProduct, kDim, 2, kRelations, 3);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    std::vector<float> point(kDim);
    tables.Query({0, 1, direction}, point);
    const auto row = KnowledgeTables::SignedRowOf(tables.form, 1, direction);
    std::complex<float> expected;
    for (size_t k = 0; k < kDim; k += 2) {
      const auto number = [k](std::span<const float> vector) {
        return std::complex<float>(vector[k], vector[k + 1]);
      };
      expected +=
          number(tables.Entity(0)) *
          number(std::span(tables.relations).subspan(row.row * kDim, kDim)) *
          std::conj(number(tables.Entity(1)));
    }
    const auto answer = tables.Entity(1);
    EXPECT_NEAR(
        std::inner_product(point.begin(), point.end(), answer.begin(), 0.0f),
        expected.real(), 1e-7);
  }
}

}  // namespace
}  // namespace slice
