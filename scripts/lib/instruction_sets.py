"""The instruction sets that kernels are compiled for, and how a program is held
to one of them.

usage: instruction_sets.py                      prints the names of the sets
                                                that this processor has, one
                                                per line, the best first
       instruction_sets.py run SET COMMAND...   runs the command, held to SET

slice and LibTorch follow ATEN_CPU_CAPABILITY. The libraries inside LibTorch
have variables of their own. Without these, a comparison would set our SSE code
against their AVX-512 code. MKL obeys MKL_ENABLE_INSTRUCTIONS only on processors
of Intel. On others only its compatible mode (SSE2) can be requested, which on
an AMD EPYC reaches nine tenths of what two SSE units can do.
"""

import os
import re
import sys

# For each set: the features that the processor must have, and the variables
# that hold programs to the set.
SETS = {
    "avx512": ({"avx512f", "avx512vl", "avx512bw", "avx512dq", "avx2", "fma"},
               {"ATEN_CPU_CAPABILITY": "avx512"}),
    "avx2": ({"avx2", "fma"},
             {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2",
              "ONEDNN_MAX_CPU_ISA": "AVX2"}),
    "portable": (set(),
                 {"ATEN_CPU_CAPABILITY": "default",
                  "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
                  "ONEDNN_MAX_CPU_ISA": "SSE41"}),
}
# Further variables for MKL, on processors that are not Intel's.
ELSEWHERE = {"portable": {"MKL_CBWR": "COMPATIBLE"}}
TITLES = {"avx512": "AVX-512", "avx2": "AVX2", "portable": "portable"}


def processor_words(field, path="/proc/cpuinfo"):
    """What the kernel reports about the first processor, as a list of words."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(rf"^(?:{field})\s*: (.*)$", file.read(),
                              re.MULTILINE)
    except OSError:
        return []
    return found.group(1).split() if found else []


def processor_flags(path="/proc/cpuinfo"):
    """The features of the first processor."""
    return processor_words("flags|Features", path)


def is_intel(path="/proc/cpuinfo"):
    return processor_words("vendor_id", path) == ["GenuineIntel"]


def vector_flags(flags):
    """The flags that decide how fast numbers are multiplied."""
    return [flag for flag in flags
            if re.fullmatch(r"sse4_2|f16c|fma|avx\w*|amx\w*|asimd\w*|sve\w*",
                            flag)]


def available(flags):
    """Names of the sets that a processor with these flags has, best first."""
    return [name for name, (needed, _) in SETS.items()
            if needed <= set(flags)]


def environment(name):
    """The environment of this process with the variables that hold programs to
    the set."""
    more = {} if is_intel() else ELSEWHERE.get(name, {})
    return {**os.environ, **SETS[name][1], **more}


def main():
    if len(sys.argv) == 1:
        print("\n".join(available(processor_flags())))
    elif sys.argv[1] == "run" and len(sys.argv) > 3 and sys.argv[2] in SETS:
        os.execvpe(sys.argv[3], sys.argv[3:], environment(sys.argv[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
