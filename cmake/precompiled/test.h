// The headers of GoogleTest, precompiled once for all tests.
#ifndef SLICE_CMAKE_PRECOMPILED_TEST_H_
#define SLICE_CMAKE_PRECOMPILED_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/precompiled/base.h"

#endif  // SLICE_CMAKE_PRECOMPILED_TEST_H_
