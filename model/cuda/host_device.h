// Marks of functions that compile for a device and for the CPU. nvcc and the
// compiler of the host both read this header.
#ifndef SLICE_MODEL_CUDA_HOST_DEVICE_H_
#define SLICE_MODEL_CUDA_HOST_DEVICE_H_

#ifdef __CUDACC__
#define SLICE_HOST_DEVICE __host__ __device__
// Before a loop that nvcc must not unroll: the instructions of a large kernel
// do not fit the device's cache, and its threads wait for them.
#define SLICE_NO_UNROLL _Pragma("unroll 1")
#else
#define SLICE_HOST_DEVICE
#define SLICE_NO_UNROLL
#endif

#endif  // SLICE_MODEL_CUDA_HOST_DEVICE_H_
