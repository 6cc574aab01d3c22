"""A tree of made-up sources for the tests of the structure tests."""

import os
import tempfile


def check(files, rules):
    """What rules(root) says of a tree given as {path: [headers]}."""
    with tempfile.TemporaryDirectory() as root:
        for path, headers in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.writelines(f"#include {header}\n" for header in headers)
        return rules(root)
