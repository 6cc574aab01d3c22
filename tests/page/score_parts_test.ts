import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";

import {
  attentionCounts, carrier, scoreParts
} from "../../server/page/score_parts";

const LOGITS = { logit_structural: 1, logit_context: -3, logit_knowledge: 0.5 };

test("of the scorer context, attention is the part of the context", () => {
  deepEqual(scoreParts(LOGITS, "context").map(({ label }) => label),
            ["structure", "context (attention)", "vectors"]);
  ok(attentionCounts(LOGITS, "context"));
  equal(carrier(LOGITS, "context"),
        "Most of the score comes from the attention over the context.");
});

test("of the scorer ends, attention has no part", () => {
  deepEqual(scoreParts(LOGITS, "ends").map(({ label }) => label),
            ["structure", "what the ends are", "vectors"]);
  equal(attentionCounts(LOGITS, "ends"), false);
  equal(carrier(LOGITS, "ends"),
        "Most of the score comes from what the two ends are. Attention adds " +
        "nothing to this score; it only shows where the network would look.");
});

test("of the scorer structural, attention has no part", () => {
  const logits = { ...LOGITS, logit_context: 0 };
  equal(attentionCounts(logits, "structural"), false);
  ok(carrier(logits, "structural").startsWith(
      "Most of the score comes from structure (paths and counts). Attention"));
});
