"""Which folder and which room may include what.

A folder is a top-level one (trainer); a room is a subfolder (trainer/fit).
The rules are tables; check_tree reads the #include lines and says what breaks
them.
"""

import os
import re

# Folder -> project folders it may include, itself aside.
ALLOWED = {
    "common": set(),
    "proto": set(),
    "graphstore": {"common"},
    "context": {"graphstore", "common"},
    "model": {"context", "graphstore", "common"},
    "trainer": {"model", "context", "graphstore", "common"},
    "server": {"model", "context", "graphstore", "proto", "common"},
    "client": {"proto", "common"},
}

# Room -> the rooms beside it that it may include. A room may always include
# the files at the root of its folder; the root may include every room.
ROOMS = {
    "common": {"command": {"config"}, "config": set(), "page": set(),
               "table": set()},
    "graphstore": {"commands": {"split"}, "split": set()},
    "model": {"native": set(), "cuda": set(), "torch": {"cuda"}},
    "trainer": {
        "report": set(),
        "embedding": set(),
        "learning": set(),
        "statistics": {"learning"},
        "evaluation": {"learning", "statistics", "report"},
        "fit": {"embedding", "learning", "statistics", "evaluation", "report"},
        "gate": {"learning", "statistics", "evaluation"},
        "methods": {"embedding", "learning", "statistics", "evaluation",
                    "report", "fit"},
    },
    "trainer/methods": {
        "messages": set(),
        "knowledge": set(),
        "walks": set(),
        "comparison": set(),
    },
    "trainer/methods/walks": {"aspects": set(), "gatne": set()},
    "server": {
        "access": set(),
        "scheduling": set(),
        "transport": {"access", "scheduling"},
        "http": {"access", "rpc", "transport"},
        "graph": {"scheduling"},
        "feed": {"graph", "scheduling"},
        "models": {"feed", "graph"},
        "pipeline": {"access", "graph", "models", "scheduling", "transport"},
        "rpc": {"access", "graph", "models", "pipeline", "scheduling",
                "transport"},
    },
    "client": {"bench": set(), "drawing": set(),
               "commands": {"bench", "drawing"}},
}

# Headers of others -> who may include them: folders, or None for nobody but
# what IMPLEMENTATION_ONLY says.
THIRD_PARTY = [
    ("LibTorch", re.compile(r"(torch|ATen|c10|caffe2)/"), {"model", "trainer"}),
    ("CUDA", re.compile(r"(cuda|cublas|cub|thrust)[_a-z]*[./]"), {"model"}),
    ("gRPC or protobuf",
     re.compile(r"(grpc|grpcpp|google/(api|protobuf|rpc))/|.*\.pb\.h$"),
     {"server", "client", "proto"}),
    ("RocksDB", re.compile(r"rocksdb/(?!cache\.h)"), {"graphstore"}),
    # Its bounded cache needs no store.
    ("RocksDB's cache", re.compile(r"rocksdb/cache\.h"),
     {"graphstore", "server"}),
    ("the NATS client", re.compile(r"nats/"), {"server"}),
    ("librdkafka", re.compile(r"librdkafka/"), {"server"}),
    ("zstd", re.compile(r"zstd"), {"common"}),
    ("zlib", re.compile(r"zlib\.h"), {"common"}),
    ("faiss", re.compile(r"faiss/"), {"context"}),
    ("Boost", re.compile(r"boost/"), {"server"}),
    ("prometheus-cpp", re.compile(r"prometheus/"), {"server"}),
    ("spdlog", re.compile(r"spdlog/"), {"common"}),
    ("CLI11", re.compile(r"CLI/"), {"common"}),
    ("yaml-cpp", re.compile(r"yaml-cpp/"), {"common"}),
]
# These stay out of headers, whoever may use them.
IMPLEMENTATION_ONLY = {"RocksDB", "RocksDB's cache", "zstd", "zlib", "faiss", "spdlog", "CLI11",
                       "librdkafka"}
# A reader of these folders' headers must not get LibTorch with them.
FREE_OF_TORCH = set(ALLOWED) - {"model", "trainer"}

SOURCE = re.compile(r".*\.(h|cc|cu|cuh)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def sources(root):
    """Paths of the project's own sources, from the root, sorted."""
    found = []
    for folder in ALLOWED:
        for at, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(at, name), root)
                      for name in names if SOURCE.match(name)]
    return sorted(found)


def includes(root, path):
    """Yields (line number, quoted, header) of a file."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match[1] == '"', match[2]


def check_include(path, number, quoted, header):
    """What is wrong with one #include line, or nothing."""
    where = f"{path}:{number}"
    folder, target = path.split(os.sep)[0], header.split("/")[0]
    if target in ALLOWED and "/" in header:
        if target != folder and target not in ALLOWED[folder]:
            return [f"{where}: {folder}/ may not include {target}/"]
        return []
    problems = [f"{where}: {name} is not for {folder}/ ({header})"
                for name, pattern, folders in THIRD_PARTY
                if pattern.match(header) and folder not in folders]
    problems += [f"{where}: {name} belongs in .cc files only ({header})"
                 for name, pattern, _ in THIRD_PARTY
                 if name in IMPLEMENTATION_ONLY and pattern.match(header)
                 and path.endswith(".h")]
    if quoted and "/" not in header and not problems:
        problems.append(
            f'{where}: include "{header}" from the repository root')
    return problems


def torch_chains(root, paths):
    """Ways by which a folder without LibTorch gets its headers."""
    torch = THIRD_PARTY[0][1]
    graph = {path: [header for _, _, header in includes(root, path)]
             for path in paths}
    problems = []
    for path in paths:
        if path.split(os.sep)[0] not in FREE_OF_TORCH:
            continue
        waiting, seen = [[path]], {path}
        while waiting:
            chain = waiting.pop()
            for header in graph[chain[-1]]:
                if torch.match(header) and len(chain) > 1:
                    problems.append(" -> ".join([*chain, header]))
                elif header in graph and header not in seen:
                    seen.add(header)
                    waiting.append([*chain, header])
    return problems


def room_of(path, folder):
    """The room of a path within a folder, or nothing at its root."""
    parts = path[len(folder) + 1:].split("/")
    return parts[0] if len(parts) > 1 else None


def check_rooms(path, number, header):
    """What is wrong with one #include line between rooms of a folder."""
    problems = []
    for folder, rooms in ROOMS.items():
        if not (path.startswith(folder + "/") and
                header.startswith(folder + "/")):
            continue
        room, target = room_of(path, folder), room_of(header, folder)
        for name in (room, target):
            if name is not None and name not in rooms:
                problems.append(f"{path}:{number}: {folder}/{name} is no room "
                                "that tests/structure/layering.py knows")
        if room and target and room != target and \
                target not in rooms.get(room, {target}):
            problems.append(f"{path}:{number}: {folder}/{room} may not include "
                            f"{folder}/{target}")
    return problems


def check_tree(root):
    """All breaches below a root, as lines for a reader."""
    paths = sources(root)
    problems = []
    for path in paths:
        for number, quoted, header in includes(root, path):
            problems += check_include(path, number, quoted, header)
            problems += check_rooms(path, number, header)
    return problems + torch_chains(root, paths)
