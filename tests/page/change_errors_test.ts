import { equal } from "node:assert/strict";
import { test } from "node:test";

import { nameChanges } from "../../server/page/change_errors";

test("a change is named by its number in the list", () => {
  equal(nameChanges("what_if.changes[0].add_link.target: no node has the key"),
        "the target of change 1: no node has the key");
  equal(nameChanges("what_if.changes[4].remove_link.relation.x: unknown"),
        "the relation of change 5: unknown");
  equal(nameChanges("what_if.changes[1].remove_link: is changed by " +
                    "what_if.changes[0] as well"),
        "change 2: is changed by change 1 as well");
});

test("names and other errors stay as they are", () => {
  for (const message of [
    "no node has the key 'what_if.changes[0].add_link'",
    "links[0].source: no node has the key 'x'"]) {
    equal(nameChanges(message), message);
  }
});
