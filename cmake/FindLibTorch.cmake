# LibTorch from the PyPI wheel that scripts/build unpacks below SLICE_DEPS_DIR.
#
# Imported targets: slice::LibTorch links libtorch_cpu and libc10 only; the wheel's own
# TorchConfig.cmake insists on a CUDA toolkit, so it is not used. slice::LibTorchHeaders is for the
# sources that include LibTorch. Its include folders go last (-idirafter): the wheel carries an old
# google/protobuf that would hide Debian's.
#
# SLICE_LIBTORCH_LATER: scripts/build is still downloading it; it is taken to be where it will be.
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
  # LibTorch's headers then include the operators that they need, not all two thousand.
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
    # libtorch_cuda wants cuDNN, NCCL and the rest of the wheel's dependencies. It
    # is loaded at run time, where a TorchScript runs on a device: everything else
    # starts without them.
    target_link_libraries(slice::LibTorch INTERFACE CUDA::cudart)
  endif()
endif()
