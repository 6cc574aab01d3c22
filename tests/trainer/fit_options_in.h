// Options of `fit` for the files of a test.
#ifndef SLICE_TESTS_TRAINER_FIT_OPTIONS_IN_H_
#define SLICE_TESTS_TRAINER_FIT_OPTIONS_IN_H_

#include "tests/testing/temp_directory.h"
#include "trainer/fit/fit_options.h"

namespace slice {

// Options without what takes long by default: the parts that are trained to
// find out on valid whether they help.
inline FitOptions BriefFitOptions() {
  FitOptions options;
  options.own_pair_auto = false;
  options.walk_dim = 0;
  options.knowledge = false;
  options.hard_questions = 0;
  return options;
}

// Reads train.txt, valid.txt and test.txt of `directory`, runs on one thread,
// and publishes to `bundle` in the directory.
inline FitOptions FitOptionsIn(const TempDirectory& directory) {
  FitOptions options = BriefFitOptions();
  options.train = directory / "train.txt";
  options.valid = directory / "valid.txt";
  options.test = directory / "test.txt";
  options.out = directory / "bundle";
  options.threads = 1;
  return options;
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_FIT_OPTIONS_IN_H_
