// The most memory the process has held.
#ifndef SLICE_COMMON_PEAK_MEMORY_H_
#define SLICE_COMMON_PEAK_MEMORY_H_

namespace slice {

// Returns freed memory to the machine and starts a new peak from the memory
// held now. Where the kernel does not allow a new peak, the peak remains that
// of the whole life of the process.
void ResetPeakMemory();

// The largest resident set since the last reset, or since the start of the
// process, in MiB; 0 when it is unknown.
double PeakMemoryMib();

}  // namespace slice

#endif  // SLICE_COMMON_PEAK_MEMORY_H_
