// A text file in each format that TextOutput writes, for tests of readers.
#ifndef SLICE_TESTS_COMMON_TABLE_TEXT_FILE_FIXTURE_H_
#define SLICE_TESTS_COMMON_TABLE_TEXT_FILE_FIXTURE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "common/table/text_output.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {

// The parameter is the ending of the file's name, which decides the format.
class TextFileTest : public testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path Path() const {
    return directory_ / (std::string("file") + GetParam());
  }
  // Writes `text` in pieces, so that pieces end within lines.
  void Write(std::string_view text) const {
    auto output = TextOutput::Create(Path());
    ASSERT_TRUE(output.ok()) << output.status();
    for (size_t i = 0; i < text.size(); i += 777)
      (*output)->Append(text.substr(i, 777));
    ASSERT_TRUE((*output)->Commit().ok());
  }

  const TempDirectory directory_;
};

}  // namespace slice

#endif  // SLICE_TESTS_COMMON_TABLE_TEXT_FILE_FIXTURE_H_
