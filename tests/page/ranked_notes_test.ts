import { deepEqual } from "node:assert/strict";
import { test } from "node:test";

import { rankedNotes } from "../../server/page/ranked_notes";

function row(rank: number, ...notes: string[]) {
  return { rank, flags: { exists: false, notes } };
}

test("a note is said once, with its ranks unless all rows have it", () => {
  deepEqual(
      rankedNotes([
        row(1, "new", "known"), row(2, "new", "known"), row(3, "new"),
        row(4, "new", "known", "cold\u202e")
      ]),
      ["new", "Ranks 1 to 2, 4: known", "Rank 4: cold⟨U+202E⟩"]);
  deepEqual(rankedNotes([row(1), row(2)]), []);
  deepEqual(rankedNotes([]), []);
});

test("many notes are counted", () => {
  const notes = [...Array(12).keys()].map((i) => `note ${i}`);
  const lines = rankedNotes([row(1, ...notes), row(2)]);
  deepEqual(lines.slice(9), ["Rank 1: note 9", "And 2 more notes."]);
});
