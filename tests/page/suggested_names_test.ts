import { deepEqual } from "node:assert/strict";
import { test } from "node:test";

import { suggestedNames } from "../../server/page/suggested_names";

test("names come from the sentence about an unknown one", () => {
  deepEqual(
      suggestedNames("no node has the key or name 'curll'; did you mean " +
                     "'curl' or 'libcurl'?"),
      { wrong: "curll", names: ["curl", "libcurl"] });
  deepEqual(suggestedNames("no node has the key or name 'x'"),
            { wrong: "", names: [] });
});

test("names may have apostrophes", () => {
  deepEqual(
      suggestedNames("no node has the key or name 'O'Neil's'; did you mean " +
                     "'O'Neill's' or ''t Hooft' or 'rock 'n' roll'?"),
      { wrong: "O'Neil's", names: ["O'Neill's", "'t Hooft", "rock 'n' roll"] });
});

test("a name that the sentence cuts leads nowhere", () => {
  deepEqual(
      suggestedNames(`no relation is called 'r'; did you mean '${
        "x".repeat(120)}...' or 'and so on...'?`),
      { wrong: "r", names: ["and so on..."] });
});
