import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import {
  buckets, parseMetrics, quantileBetween, total
} from "../../server/page/metrics_text";

const TEXT = `# HELP links_total Links.
links_total{outcome="scored",model="a \\"b\\" \\\\ c"} 5
links_total{outcome="failed",model="d{}"} 2
queue 1.5e3
seconds_bucket{le="0.25"} 0
seconds_bucket{le="0.75"} 8
seconds_bucket{le="+Inf"} 10
`;

test("samples have names, labels and values", () => {
  const samples = parseMetrics(TEXT);
  deepEqual(samples[0], {
    name: "links_total", value: 5,
    labels: { outcome: "scored", model: 'a "b" \\ c' }
  });
  equal(samples[1]?.labels["model"], "d{}");
  equal(total(samples, "links_total"), 7);
  equal(total(samples, "links_total", { outcome: "failed" }), 2);
  equal(total(samples, "queue"), 1500);
});

test("quantiles are those of what came between two readings", () => {
  const after = buckets(parseMetrics(TEXT), "seconds");
  const none = new Map<number, number>();
  equal(quantileBetween(none, after, 0.4), 0.5);
  equal(quantileBetween(none, after, 0.99), 0.75); // as Prometheus answers
  equal(quantileBetween(after, after, 0.5), null);
});
