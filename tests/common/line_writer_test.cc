#include "common/line_writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Rate kAny = {.per_second = 1e12, .burst = 1e12};

class LineWriterTest : public ::testing::Test {
 protected:
  LineWriterTest() {
    EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0);
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~LineWriterTest() override {
    close(ends_[0]);
    close(ends_[1]);
  }

  std::string Read() {
    std::string all;
    char piece[4096];
    for (ssize_t got; (got = read(ends_[0], piece, sizeof(piece))) > 0;) {
      all.append(piece, static_cast<size_t>(got));
    }
    return all;
  }

  int ends_[2] = {};
  FakeClock clock_;
};

TEST_F(LineWriterTest, WritesLines) {
  LineWriter writer(ends_[1], kAny, &clock_);
  writer.Write("one");
  writer.Write("two");
  EXPECT_EQ(Read(), "one\ntwo\n");
  EXPECT_EQ(writer.left_out(), 0);
}

TEST_F(LineWriterTest, NeverWaitsForAReader) {
  LineWriter writer(ends_[1], kAny, &clock_);
  const std::string line(1000, 'x');
  for (int i = 0; i < 1000; ++i) writer.Write(line);
  EXPECT_GT(writer.left_out(), 800);
  Read();
  writer.Write("again");
  EXPECT_THAT(Read(), HasSubstr("lines of the log were left out"));
  writer.Write("and on");
  EXPECT_EQ(Read(), "and on\n");
}

TEST_F(LineWriterTest, LeavesOutWhatComesTooFast) {
  LineWriter writer(ends_[1], {.per_second = 10, .burst = 3}, &clock_);
  for (int i = 0; i < 1000; ++i) writer.Write("x");
  EXPECT_EQ(Read(), "x\nx\nx\n");
  EXPECT_EQ(writer.left_out(), 997);
  clock_.Advance(absl::Milliseconds(100));
  writer.Write("y");
  writer.Write("y");
  EXPECT_EQ(Read(),
            "997 lines of the log were left out: too many at once, or nobody "
            "read them\ny\n");
  clock_.Advance(absl::Hours(1));
  for (int i = 0; i < 10; ++i) writer.Write("z");
  EXPECT_THAT(Read(), EndsWith("left out: too many at once, or nobody read "
                               "them\nz\nz\nz\n"));
}

TEST_F(LineWriterTest, CutsLongLines) {
  LineWriter writer(ends_[1], kAny, &clock_);
  writer.Write(std::string(100000, 'x'));
  EXPECT_THAT(Read(), SizeIs(LineWriter::kMaxBytes));
}

TEST_F(LineWriterTest, AClosedPipeIsNoError) {
  LineWriter writer(-1, kAny, &clock_);
  writer.Write("nobody");
  EXPECT_EQ(writer.left_out(), 1);
}

}  // namespace
}  // namespace slice
