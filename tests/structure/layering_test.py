"""Folders and rooms include each other only as layering.py says."""

import os
import unittest

import layering
import made_up_tree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def check(files):
    return made_up_tree.check(files, layering.check_tree)


class RulesTest(unittest.TestCase):

    def test_a_tree_by_the_rules_is_clean(self):
        self.assertEqual(check({
            "common/clock.h": ["<chrono>", '"absl/time/time.h"'],
            "graphstore/store.cc": ['"common/clock.h"', '"rocksdb/db.h"'],
            "model/score.cc": ["<torch/script.h>", '"context/cut.h"'],
            "server/main.cc": ['"slice/v1/graph.grpc.pb.h"',
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
            "graphstore/a.cc": ['"slice/v1/graph.pb.h"'],
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


class RoomsTest(unittest.TestCase):

    def test_a_room_sees_its_root_and_the_rooms_below(self):
        self.assertEqual(check({
            "server/limits.h": [],
            "server/scheduling/queue.h": ['"server/limits.h"'],
            "server/rpc/call.h": ['"server/scheduling/queue.h"'],
            "server/main.cc": ['"server/rpc/call.h"'],
        }), [])

    def test_a_room_does_not_see_a_room_above(self):
        self.assertEqual(
            check({"server/scheduling/queue.h": ['"server/rpc/call.h"']}),
            ["server/scheduling/queue.h:1: server/scheduling may not include "
             "server/rpc"])

    def test_rooms_within_rooms_keep_the_rules(self):
        self.assertEqual(
            check({"trainer/methods/walks/a.h":
                   ['"trainer/methods/knowledge/b.h"']}),
            ["trainer/methods/walks/a.h:1: trainer/methods/walks may not "
             "include trainer/methods/knowledge"])

    def test_every_room_is_in_the_table(self):
        self.assertEqual(
            check({"client/attic/a.h": ['"client/b.h"']}),
            ["client/attic/a.h:1: client/attic is no room that "
             "tests/structure/layering.py knows"])


class RepositoryTest(unittest.TestCase):

    def test_the_folders_keep_the_rules(self):
        self.assertGreater(len(layering.sources(ROOT)), 20)
        problems = layering.check_tree(ROOT)
        self.assertFalse(problems, "\n" + "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
