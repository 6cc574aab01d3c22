"""Tests of scripts/lib/instruction_sets.py."""

import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

LIB = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), "scripts", "lib")
sys.path.insert(0, LIB)
import instruction_sets  # noqa: E402

AVX2 = "fpu sse4_2 avx f16c fma avx2 bmi2"


class InstructionSetsTest(unittest.TestCase):

    def test_a_processor_has_the_sets_whose_flags_it_has(self):
        for flags, expected in (
                ("", ["portable"]),
                ("asimd fp", ["portable"]),
                (AVX2, ["avx2", "portable"]),
                # Without doublewords and quadwords it is not our AVX-512.
                (AVX2 + " avx512f avx512vl avx512bw", ["avx2", "portable"]),
                (AVX2 + " avx512f avx512vl avx512bw avx512dq",
                 ["avx512", "avx2", "portable"])):
            self.assertEqual(instruction_sets.available(flags.split()),
                             expected)

    def test_flags_are_read_of_either_kind_of_processor(self):
        for text, expected in (
                ("processor\t: 0\nflags\t\t: fpu avx2\n", ["fpu", "avx2"]),
                ("processor\t: 0\nFeatures\t: fp asimd\n", ["fp", "asimd"]),
                ("nothing here\n", [])):
            with tempfile.NamedTemporaryFile("w", suffix="cpuinfo") as file:
                file.write(text)
                file.flush()
                self.assertEqual(
                    instruction_sets.processor_flags(file.name), expected)

    def test_vector_flags_leave_out_the_rest(self):
        self.assertEqual(
            instruction_sets.vector_flags(
                "fpu sse4_2 fma avx2 aes avx512_bf16 amx_tile asimdhp".split()),
            ["sse4_2", "fma", "avx2", "avx512_bf16", "amx_tile", "asimdhp"])

    def test_mkl_is_held_to_the_portable_set_on_any_processor(self):
        with unittest.mock.patch.object(instruction_sets, "is_intel",
                                        return_value=False):
            self.assertEqual(
                instruction_sets.environment("portable")["MKL_CBWR"],
                "COMPATIBLE")
            self.assertNotIn("MKL_CBWR", instruction_sets.environment("avx2"))
        with unittest.mock.patch.object(instruction_sets, "is_intel",
                                        return_value=True):
            self.assertNotIn("MKL_CBWR",
                             instruction_sets.environment("portable"))

    def test_the_vendor_is_read(self):
        for text, expected in (("vendor_id\t: GenuineIntel\n", True),
                               ("vendor_id\t: AuthenticAMD\n", False),
                               ("Features\t: asimd\n", False)):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                self.assertEqual(instruction_sets.is_intel(file.name),
                                 expected, text)

    def test_a_program_is_held_to_a_set(self):
        printed = subprocess.run(
            [sys.executable, os.path.join(LIB, "instruction_sets.py"), "run",
             "avx2", "sh", "-c",
             "echo $ATEN_CPU_CAPABILITY $MKL_ENABLE_INSTRUCTIONS"],
            text=True, capture_output=True, check=True).stdout
        self.assertEqual(printed, "avx2 AVX2\n")

    def test_an_unknown_set_is_refused(self):
        result = subprocess.run(
            [sys.executable, os.path.join(LIB, "instruction_sets.py"), "run",
             "mmx", "true"], text=True, capture_output=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("usage", result.stderr)


if __name__ == "__main__":
    unittest.main()
