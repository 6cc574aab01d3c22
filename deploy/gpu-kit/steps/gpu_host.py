"""What gpu_check must know about the host: its C library, device, processor and
PyTorch. Nothing here needs a device."""

import ctypes
import glob
import os
import platform
import re
import shutil
import subprocess
import sys

SUFFIX = "lib/libtorch_cpu.so"
SANITIZERS = ("/usr/local/cuda/bin/compute-sanitizer",
              "/usr/local/cuda/compute-sanitizer/compute-sanitizer")


def numbers(version):
    """2.36 -> (2, 36)"""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def glibc():
    """The version of the C library, "" when it is not the GNU C library."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION").split()[-1]
    except (ValueError, OSError, AttributeError):
        return ""


def cannot_run(kit):
    """Why no program of the kit can run here; "" when they can."""
    needed, found = kit.facts["glibc"], glibc()
    if platform.machine() != "x86_64":
        return f"the kit is for x86_64, this host is {platform.machine()}"
    if not found:
        return (f"this host has another C library than the GNU C library, of "
                f"which the kit needs {needed} or later")
    if numbers(found) < numbers(needed):
        return (f"this host has the GNU C library {found}; the kit needs "
                f"{needed} or later: use a host or an image of Debian 12, "
                "Ubuntu 24.04 or later")
    return ""


def device():
    """{"name", "count", "driver_cuda"}, or {"none": why}."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return {"none": "no NVIDIA driver is installed (no libcuda.so.1)"}
    status = driver.cuInit(0)
    count, version = ctypes.c_int(), ctypes.c_int()
    if status == 0:
        status = driver.cuDeviceGetCount(ctypes.byref(count))
    if status:
        return {"none": f"the NVIDIA driver finds no device (error {status})"}
    if count.value == 0:
        return {"none": "the NVIDIA driver finds no device"}
    driver.cuDriverGetVersion(ctypes.byref(version))
    name = ctypes.create_string_buffer(256)
    driver.cuDeviceGetName(name, len(name), 0)
    return {"name": name.value.decode(), "count": count.value,
            "driver_cuda": f"{version.value // 1000}."
                           f"{version.value % 1000 // 10}"}


def device_problem(found, kit):
    """Why the device cannot be used; "" when it can."""
    if "none" in found:
        return found["none"]
    if numbers(found["driver_cuda"]) < numbers(kit.facts["cuda"])[:1]:
        return (f"the driver is for CUDA {found['driver_cuda']}; the kit needs "
                f"one for CUDA {kit.facts['cuda']}")
    return ""


def driver_version():
    program = shutil.which("nvidia-smi")
    if not program:
        return ""
    ran = subprocess.run([program, "--query-gpu=driver_version",
                          "--format=csv,noheader"], text=True, check=False,
                         capture_output=True, timeout=30)
    return ran.stdout.splitlines()[0].strip() if ran.stdout else ""


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.+)$", file.read(), re.M)
    return found[1].strip() if found else platform.machine()


def torch_folders():
    """Where PyTorch may be: the package of this Python and of each other one in
    PATH. It is not imported, because that takes seconds."""
    find = ("import importlib.util as u, os; s = u.find_spec('torch'); "
            "print(os.path.dirname(s.origin) if s and s.origin else '')")
    programs = [sys.executable, shutil.which("python3"), shutil.which("python"),
                *sorted(glob.glob("/opt/*/bin/python3"))]
    for program in dict.fromkeys(filter(None, programs)):
        # From the root, so that no folder "torch" beside the caller is taken.
        ran = subprocess.run([program, "-c", find], text=True, check=False,
                             capture_output=True, timeout=30, cwd="/")
        if ran.stdout.strip():
            yield ran.stdout.strip()


def torch_version(folder):
    """As the package itself says it: 2.11.0+cu130. "" when it does not."""
    try:
        with open(os.path.join(folder, "version.py"), encoding="utf-8") as file:
            found = re.search(r"^__version__ = ['\"]([^'\"]+)", file.read(), re.M)
    except OSError:
        return ""
    return found[1] if found else ""


def find_torch(kit, given):
    """{"folder", "version"} of a PyTorch whose LibTorch the kit's programs can
    load, or {"none": why}."""
    wanted = numbers(kit.facts["torch"])[:2]
    name = ".".join(map(str, wanted))
    others = []
    for folder in [given] if given else torch_folders():
        version = torch_version(folder)
        if not os.path.exists(os.path.join(folder, SUFFIX)):
            others.append(f"{folder} has no {SUFFIX}")
        elif numbers(version)[:2] != wanted:
            others.append(f"that in {folder} is {version or 'of no version'}")
        else:
            return {"folder": folder, "version": version}
    why = "; ".join(others) if others else "none is installed here"
    return {"none": f"PyTorch {name} is needed: {why} (--torch DIR names the "
                    "folder of the package torch)"}


def library_folders(torch):
    """The folders of LibTorch and of the NVIDIA libraries beside it."""
    packages = os.path.dirname(torch["folder"])
    return [os.path.join(torch["folder"], "lib"),
            *sorted(glob.glob(os.path.join(packages, "nvidia", "*", "lib")))]


def use(host):
    """Lets the programs that are started from now on find LibTorch."""
    if "none" in host["torch"]:
        return
    before = os.environ.get("LD_LIBRARY_PATH", "")
    os.environ["LD_LIBRARY_PATH"] = ":".join(
        library_folders(host["torch"]) + ([before] if before else []))


def missing_libraries(program):
    """The libraries that the loader does not find for a program, with spaces.
    Asks the loader itself, because ldd is not on every host."""
    ran = subprocess.run([program, "--help"], text=True, check=False,
                         capture_output=True, timeout=60,
                         env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"})
    return " ".join(re.findall(r"^\s*(\S+) => not found", ran.stdout, re.M))


def facts(kit, given_torch=None):
    found = device()
    return {
        "device": found, "device_problem": device_problem(found, kit),
        "driver": driver_version(), "processor": processor(),
        "cores": len(os.sched_getaffinity(0)), "glibc": glibc(),
        "system": platform.platform(), "torch": find_torch(kit, given_torch),
        "sanitizer": shutil.which("compute-sanitizer") or next(
            filter(os.path.exists, SANITIZERS), ""),
    }
