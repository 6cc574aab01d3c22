#include "common/huge_pages.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace slice {
namespace {

TEST(HugePagesTest, ReservedVectorsKeepWhatIsWritten) {
  for (const size_t size : {size_t{0}, size_t{5}, size_t{3000000}}) {
    std::vector<uint32_t> values;
    ReserveHugePages(size, &values);
    ASSERT_GE(values.capacity(), size);
    const uint32_t* const before = values.data();
    for (uint32_t i = 0; i < size; ++i) values.push_back(i);
    EXPECT_EQ(values.data(), before);
    uint64_t sum = 0;
    for (const uint32_t value : values) sum += value;
    EXPECT_EQ(sum, size < 2 ? 0 : uint64_t{size} * (size - 1) / 2);
  }
}

}  // namespace
}  // namespace slice
