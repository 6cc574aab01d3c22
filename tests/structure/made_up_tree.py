"""A tree of made-up sources for the tests of the structure tests."""

import os
import tempfile


def check_texts(files, rules):
    """What rules(root) says of a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        return rules(root)


def check(files, rules):
    """What rules(root) says of a tree given as {path: [headers]}."""
    return check_texts(
        {path: "".join(f"#include {header}\n" for header in headers)
         for path, headers in files.items()}, rules)
