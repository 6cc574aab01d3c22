// A directory of its own for one test.
#ifndef SLICE_TESTS_TESTING_TEMP_DIRECTORY_H_
#define SLICE_TESTS_TESTING_TEMP_DIRECTORY_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace slice {

// Made empty below $TMPDIR (or /tmp), removed with everything in it.
//
//   TempDirectory directory;
//   directory.Write("train.txt", "likes a b\n");
class TempDirectory {
 public:
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const {
    return path_ / name;
  }

  // Writes a file of this directory; returns its path.
  std::filesystem::path Write(std::string_view name,
                              std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TEMP_DIRECTORY_H_
