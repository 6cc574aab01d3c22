import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { endsInWords, movements } from "../../server/page/drawings/movement";

// Two layers' worth of places for three tokens: [layers + 1, tokens, 2].
const COSINES = [
  1, 0.25, 0.25, 1, 0.5, -0.5, // embeddings
  1, 0.75, 0.75, 1, 0.625, 0.125 // after the layer
];

test("the way of a token goes through the layers", () => {
  deepEqual(movements(COSINES, 1, 3)[2], [
    { source: 0.5, target: -0.5 }, { source: 0.625, target: 0.125 }
  ]);
});

test("words say whether the ends come closer", () => {
  const ways = movements(COSINES, 1, 3);
  equal(endsInWords(ways), "The layers bring the two ends closer: their " +
    "cosine goes from 0.25 to 0.75.");
  equal(endsInWords(ways.map((way) => [...way].reverse())),
        "The layers part the two ends: their cosine goes from 0.75 to 0.25.");
  equal(endsInWords(ways.map((way) => way.slice(0, 1))),
        "The cosine of the two ends stays at 0.25.");
});
