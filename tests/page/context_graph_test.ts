import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { contextGraph } from "../../server/page/context_graph";
import type {
  Explanation, ExplanationToken, Node, PathStep
} from "../../server/page/messages";

function node(key: string): Node {
  return { key, name: key, type: "t" };
}

function step(relation: string, key: string, inward = false): PathStep {
  return {
    relation, node: node(key),
    direction: inward ? "DIRECTION_IN" : "DIRECTION_OUT"
  };
}

function token(
    attention: number, more: Partial<ExplanationToken>): ExplanationToken {
  return {
    kind: "TOKEN_KIND_NODE", role: "TOKEN_ROLE_BETWEEN",
    attention_from_source: attention, attention_from_target: attention,
    path: [], path_count: "0", logit_effect: 0, ...more
  };
}

function explanation(more: Partial<Explanation>): Explanation {
  return {
    tokens: [], edges: [], metapath: [], pair_features: [], distance: 2,
    max_hops: 3, truncated: false, summary: "", evidence: [],
    probability_without_named: 0, probability_only_named: 0, searched: "",
    token_cosines: [], contexts: [], context_pooling: "",
    ...more
  };
}

test("paths that share a link share its drawing", () => {
  const path = (count: string, ...steps: PathStep[]) => token(
      0.25, { kind: "TOKEN_KIND_PATH", path: steps, path_count: count });
  const graph = contextGraph(node("s"), node("t"), explanation({
    tokens: [
      token(0.5, { node: node("s"), role: "TOKEN_ROLE_SOURCE" }),
      token(0.5, { node: node("t"), role: "TOKEN_ROLE_TARGET" }),
      path("7", step("r", "a", true), step("q", "t")),
      path("2", step("r", "a", true), step("r", "b"), step("q", "t"))
    ]
  }));
  deepEqual(graph.nodes.map(({ node: { key }, column }) => [key, column]), [
    ["s", 0], ["t", 1], ["a", (1 / 2 + 1 / 3) / 2], ["b", 2 / 3]
  ]);
  const [s, t, a, b] = [0, 1, 2, 3];
  deepEqual(graph.links, [
    { source: a, target: s, relation: "r", attention: 0.5, paths: 9 },
    { source: a, target: t, relation: "q", attention: 0.25, paths: 7 },
    { source: a, target: b, relation: "r", attention: 0.25, paths: 2 },
    { source: b, target: t, relation: "q", attention: 0.25, paths: 2 }
  ]);
  equal(graph.nodes[2]?.attention, 0.5);
});

test("contexts of nodes stand by their distance from the ends", () => {
  const keys = ["s", "t", "near", "far", "alone"];
  const graph = contextGraph(node("s"), node("t"), explanation({
    tokens: keys.map((key) => token(0.2, { node: node(key) })),
    edges: [
      { source: 0, target: 2, relation: "r" },
      { source: 3, target: 2, relation: "r" },
      { source: 3, target: 1, relation: "r" }
    ]
  }));
  deepEqual(graph.nodes.map(({ column }) => column), [0, 1, 1 / 3, 2 / 3, 0.5]);
  equal(graph.links.length, 3);
});

test("an explanation without a context has two ends", () => {
  const graph = contextGraph(node("s"), node("s"), explanation({}));
  equal(graph.nodes.length, 1);
  equal(graph.links.length, 0);
});
