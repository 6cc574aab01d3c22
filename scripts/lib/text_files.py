"""Text files that appear whole or not at all."""

import os


def write_text(path: str, content: str) -> None:
    """Makes the folder of the file, where it does not exist."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(content)
    os.replace(path + ".new", path)
