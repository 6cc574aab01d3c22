// Options of `fit` for the files of a test.
#ifndef SLICE_TESTS_TRAINER_FIT_OPTIONS_IN_H_
#define SLICE_TESTS_TRAINER_FIT_OPTIONS_IN_H_

#include "tests/testing/temp_directory.h"
#include "trainer/fit/fit_options.h"

namespace slice {

// Reads train.txt, valid.txt and test.txt of `directory`, runs on one thread,
// and publishes to `bundle` in the directory.
inline FitOptions FitOptionsIn(const TempDirectory& directory) {
  FitOptions options;
  options.train = directory / "train.txt";
  options.valid = directory / "valid.txt";
  options.test = directory / "test.txt";
  options.out = directory / "bundle";
  options.threads = 1;
  return options;
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_FIT_OPTIONS_IN_H_
