"""No call of std::filesystem throws.

Files may vanish while a program looks at them, and an exception would end it.
So every call passes a std::error_code, and directories are walked with
increment(error).
"""

import os
import re
import unittest

import layering
from made_up_tree import check_texts

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
# Those whose calls without an error_code throw.
CALLS = re.compile(
    r"(?:fs|filesystem)::(absolute|canonical|copy|copy_file|create_directories|"
    r"create_directory|current_path|exists|file_size|is_directory|is_empty|"
    r"is_regular_file|last_write_time|proximate|read_symlink|relative|remove|"
    r"remove_all|rename|space|status|temp_directory_path|weakly_canonical|"
    r"(?:recursive_)?directory_iterator(?: \w+)?)\(")
# The trainer and what it is made of.
FOLDERS = ("common", "graphstore", "context", "model", "trainer")
# Of a directory entry.
OF_ENTRY = re.compile(
    r"\b(?:is_regular_file|is_directory|file_size|last_write_time|exists)\(\)")
WALK = re.compile(r":\s*(?:std::filesystem|fs)::(?:recursive_)?"
                  r"directory_iterator")
ERROR_CODE = re.compile(r"std::error_code&? (\w+)((?:, \w+)*)")


def arguments(text, begin):
    """The text from `begin` to the parenthesis that closes the call."""
    depth = 1
    for end in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[begin:end]
    return text[begin:]


def throwing_calls(root):
    problems = []
    for path in layering.sources(root):
        if path.split(os.sep)[0] not in FOLDERS:
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        # An is_directory(status) asks a value, and no file.
        codes = {"status"} | {name for match in ERROR_CODE.finditer(text)
                              for name in re.findall(r"\w+", match[1] +
                                                     match[2])}
        for match in CALLS.finditer(text):
            given = arguments(text, match.end())
            if not codes & set(re.findall(r"\w+", given)):
                problems.append(f"{path}: {match[1]}({given}) may throw")
        problems += [f"{path}: {match[0]} may throw"
                     for match in OF_ENTRY.finditer(text)]
        problems += [f"{path}: a loop over directory_iterator may throw"
                     for _ in WALK.finditer(text)]
    return problems


class ExceptionsTest(unittest.TestCase):

    def test_calls_of_the_file_system_do_not_throw(self):
        problems = throwing_calls(ROOT)
        self.assertFalse(problems, "\n" + "\n".join(problems))

    def test_a_call_without_an_error_code_is_found(self):
        for call in ("fs::exists(path)", "std::filesystem::remove_all(a / b)",
                     "fs::relative(entry->path(), directory).string()",
                     "entry.is_regular_file()"):
            texts = {"trainer/x.cc": "std::error_code error;\n"
                                     f"const bool y = {call};\n"}
            self.assertEqual(len(check_texts(texts, throwing_calls)), 1, call)

    def test_a_loop_over_a_directory_is_found(self):
        texts = {"trainer/x.cc": "std::error_code error;\nfor (const auto& e : "
                                 "fs::directory_iterator(path, error)) {}\n"}
        self.assertEqual(len(check_texts(texts, throwing_calls)), 1)

    def test_a_call_with_an_error_code_is_fine(self):
        texts = {"trainer/x.cc":
                 "std::error_code gone;\nif (fs::exists(a / b(c), gone)) {}\n"
                 "for (fs::directory_iterator e(a, gone), end; !gone;) {}\n"}
        self.assertEqual(check_texts(texts, throwing_calls), [])


if __name__ == "__main__":
    unittest.main()
