"""What tests of scripts share: the checkout's root, and files they write."""

import os
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def write(path, text, mode=0o644):
    """Writes `text` without its indentation, and the folders above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(textwrap.dedent(text))
    os.chmod(path, mode)
