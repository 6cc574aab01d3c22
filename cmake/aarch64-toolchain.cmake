# Cross-compiles for 64-bit Arm (preset aarch64; scripts/build-aarch64 installs what it needs).
#
# The compiler is Debian's g++-aarch64-linux-gnu. SLICE_DEPS_DIR holds the arm64
# libraries of Debian in sysroot/ and the LibTorch of arm64 in libtorch/. The
# programs that run during the build (protoc, grpc_cpp_plugin, ccache, python3)
# are the build machine's. ctest runs the tests under qemu-aarch64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# CMake's checks of the compiler read this file again; they need the folder too.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SLICE_DEPS_DIR)
set(CMAKE_SYSROOT "${SLICE_DEPS_DIR}/sysroot")
if(NOT IS_DIRECTORY "${CMAKE_SYSROOT}")
  message(FATAL_ERROR "${CMAKE_SYSROOT} is missing: run scripts/build-aarch64, which downloads the arm64 libraries")
endif()
set(CMAKE_FIND_ROOT_PATH "${CMAKE_SYSROOT}" "${SLICE_DEPS_DIR}/libtorch")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${CMAKE_SYSROOT}")
