# Finds LibTorch in the PyPI wheel that scripts/build unpacks below
# SLICE_DEPS_DIR. The wheel's own TorchConfig.cmake is not used, because it
# insists on a CUDA toolkit.
#
# There are two imported targets. slice::LibTorch is for linking: it stands for
# libtorch_cpu and libc10, and with SLICE_CUDA also for the CUDA runtime.
# slice::LibTorchHeaders is for compiling the sources that include LibTorch. Its
# include folders are searched last (-idirafter), because the wheel carries an
# old google/protobuf that would hide Debian's.
#
# SLICE_LIBTORCH_LATER is for configuring while scripts/build still downloads
# LibTorch. The files need not exist then; the targets name their later paths.
option(SLICE_LIBTORCH_LATER "Configure before LibTorch is there" OFF)
mark_as_advanced(SLICE_LIBTORCH_LATER)
set(_torch_root "${SLICE_DEPS_DIR}/libtorch/torch")
if(SLICE_LIBTORCH_LATER)
  set(LibTorch_INCLUDE_DIR "${_torch_root}/include")
  set(LibTorch_CPU_LIBRARY "${_torch_root}/lib/libtorch_cpu.so")
  set(LibTorch_C10_LIBRARY "${_torch_root}/lib/libc10.so")
else()
  find_path(LibTorch_INCLUDE_DIR torch/script.h PATHS "${_torch_root}/include" NO_DEFAULT_PATH)
  find_library(LibTorch_CPU_LIBRARY torch_cpu PATHS "${_torch_root}/lib" NO_DEFAULT_PATH)
  find_library(LibTorch_C10_LIBRARY c10 PATHS "${_torch_root}/lib" NO_DEFAULT_PATH)
endif()
set(_torch_required LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR)
if(SLICE_CUDA AND NOT SLICE_LIBTORCH_LATER)
  find_library(LibTorch_CUDA_LIBRARY torch_cuda PATHS "${_torch_root}/lib" NO_DEFAULT_PATH)
  find_library(LibTorch_C10_CUDA_LIBRARY c10_cuda PATHS "${_torch_root}/lib" NO_DEFAULT_PATH)
  list(APPEND _torch_required LibTorch_CUDA_LIBRARY LibTorch_C10_CUDA_LIBRARY)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS ${_torch_required}
  REASON_FAILURE_MESSAGE "run scripts/build: it downloads the LibTorch wheel into ${SLICE_DEPS_DIR}")

if(LibTorch_FOUND AND NOT TARGET slice::LibTorch)
  add_library(slice::LibTorch INTERFACE IMPORTED)
  add_library(slice::LibTorchHeaders INTERFACE IMPORTED)
  foreach(_dir "${LibTorch_INCLUDE_DIR}" "${LibTorch_INCLUDE_DIR}/torch/csrc/api/include")
    target_compile_options(slice::LibTorchHeaders INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter ${_dir}>")
  endforeach()
  # With this definition, LibTorch's headers include only the operators that
  # they need, not all two thousand.
  target_compile_definitions(slice::LibTorchHeaders INTERFACE AT_PER_OPERATOR_HEADERS)
  target_link_libraries(slice::LibTorch INTERFACE "${LibTorch_CPU_LIBRARY}" "${LibTorch_C10_LIBRARY}")
  target_link_options(slice::LibTorch INTERFACE
    "LINKER:-rpath-link,${SLICE_DEPS_DIR}/libtorch/nvidia/cu13/lib")
  if(CMAKE_CROSSCOMPILING)
    # A cross linker does not read $ORIGIN in libtorch_cpu.so.
    target_link_options(slice::LibTorch INTERFACE "LINKER:-rpath-link,${_torch_root}/lib")
  endif()
  if(SLICE_CUDA)
    find_package(CUDAToolkit REQUIRED)
    target_include_directories(slice::LibTorchHeaders SYSTEM INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:${LibTorch_INCLUDE_DIR}>")
    # libtorch_cuda needs cuDNN, NCCL and the rest of the wheel's dependencies.
    # So it is not linked, but loaded at run time, and only when a TorchScript
    # runs on a device. Programs start without these dependencies.
    target_link_libraries(slice::LibTorch INTERFACE CUDA::cudart)
  endif()
endif()
