"""The folders include each other only as docs say; so does a made-up tree."""

import os
import sys
import tempfile
import unittest

import layering

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def check(files):
    """The breaches of a tree given as {path: [headers]}."""
    with tempfile.TemporaryDirectory() as root:
        for path, headers in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.writelines(f"#include {header}\n" for header in headers)
        return layering.check_tree(root)


class RulesTest(unittest.TestCase):

    def test_a_tree_by_the_rules_is_clean(self):
        self.assertEqual(check({
            "common/clock.h": ["<chrono>", '"absl/time/time.h"'],
            "graphstore/store.cc": ['"common/clock.h"', '"rocksdb/db.h"'],
            "model/score.cc": ["<torch/script.h>", '"context/cut.h"'],
            "server/main.cc": ['"proto/slice/v1/graph.grpc.pb.h"',
                               '"prometheus/registry.h"', "<grpcpp/grpcpp.h>"],
        }), [])

    def test_a_lower_folder_does_not_see_a_higher_one(self):
        self.assertEqual(
            check({"context/a.h": ["<vector>", '"model/b.h"']}),
            [f"context{os.sep}a.h:2: context/ may not include model/"])

    def test_client_and_server_meet_only_in_proto(self):
        self.assertEqual(len(check({"client/a.cc": ['"server/b.h"'],
                                    "server/a.cc": ['"client/b.h"'],
                                    "trainer/a.cc": ['"server/b.h"']})), 3)

    def test_torch_stays_in_model_and_trainer(self):
        self.assertEqual(len(check({"server/a.cc": ["<torch/script.h>"],
                                    "context/a.cc": ['"ATen/ATen.h"'],
                                    "common/a.h": ["<c10/util/Half.h>"],
                                    "trainer/a.cc": ["<torch/torch.h>"]})), 3)

    def test_torch_does_not_come_through_a_header_of_model(self):
        problems = check({"server/a.cc": ['"model/b.h"'],
                          "model/b.h": ['"model/c.h"'],
                          "model/c.h": ["<torch/script.h>"]})
        self.assertEqual(problems, [
            f"server{os.sep}a.cc -> model/b.h -> model/c.h -> torch/script.h"])

    def test_grpc_and_messages_stay_in_server_client_proto(self):
        self.assertEqual(len(check({
            "model/a.cc": ["<grpcpp/grpcpp.h>"],
            "trainer/a.cc": ["<google/protobuf/message.h>"],
            "graphstore/a.cc": ['"proto/slice/v1/graph.pb.h"'],
            "client/a.cc": ["<grpcpp/grpcpp.h>"]})), 3)

    def test_rocksdb_stays_in_sources_of_graphstore(self):
        self.assertEqual(len(check({"graphstore/a.h": ['"rocksdb/db.h"'],
                                    "server/a.cc": ['"rocksdb/db.h"'],
                                    "graphstore/a.cc": ['"rocksdb/db.h"']})), 2)

    def test_the_cache_of_rocksdb_may_serve_the_server(self):
        self.assertEqual(len(check({"server/a.h": ['"rocksdb/cache.h"'],
                                    "client/a.cc": ['"rocksdb/cache.h"'],
                                    "server/a.cc": ['"rocksdb/cache.h"']})), 2)

    def test_includes_start_at_the_root(self):
        self.assertEqual(check({"common/a.cc": ['"clock.h"']}), [
            f'common{os.sep}a.cc:1: include "clock.h" from the '
            'repository root'])


class RepositoryTest(unittest.TestCase):

    def test_the_folders_keep_the_rules(self):
        self.assertGreater(len(layering.sources(ROOT)), 20)
        problems = layering.check_tree(ROOT)
        self.assertFalse(problems, "\n" + "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
