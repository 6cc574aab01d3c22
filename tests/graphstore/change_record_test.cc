#include "graphstore/change_record.h"

#include <gtest/gtest.h>

#include <string>

#include "graphstore/graph_snapshot.h"
#include "tests/testing/random_history.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

TEST(ChangeRecordTest, IsReadAsItWasWritten) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const GraphData start = RandomMultigraph({}, seed);
    RandomHistory history(start, seed);
    auto graph = BuildSnapshotOrDie(start);
    for (uint64_t version = 1; version <= 20; ++version) {
      const GraphChanges changes = history.Next(30);
      const std::string bytes = EncodeChanges(changes);
      GraphChanges read;
      ASSERT_TRUE(DecodeChanges(bytes, &read));
      EXPECT_EQ(EncodeChanges(read), bytes);
      graph = *graph->Apply(read, version);
      EXPECT_EQ(GraphDigest(graph->Data()), GraphDigest(history.Now()));
    }
  }
}

TEST(ChangeRecordTest, EveryShorterOrLongerRecordIsMalformed) {
  RandomHistory history(RandomMultigraph({}, 3), 3);
  const std::string bytes = EncodeChanges(history.Next(20));
  GraphChanges read;
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeChanges(bytes.substr(0, size), &read)) << size;
  }
  EXPECT_FALSE(DecodeChanges(bytes + '\0', &read));
}

// A count that promises more than there is must not reserve memory for it.
TEST(ChangeRecordTest, RefusesCountsBeyondTheRecord) {
  GraphChanges read;
  for (size_t list = 0; list < 6; ++list) {
    std::string bytes(list, '\0');
    AppendVarint(&bytes, uint64_t{1} << 60);
    EXPECT_FALSE(DecodeChanges(bytes, &read));
  }
}

}  // namespace
}  // namespace slice
