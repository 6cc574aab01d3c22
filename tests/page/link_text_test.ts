import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { linkOf, linkText, renamed } from "../../server/page/link_text";

test("a link comes back from its text", () => {
  const link = {
    source: { name: 'a "b"' }, relation: "r", target: { name: "O'Neil, [x]" }
  };
  deepEqual(linkOf(linkText(link)), link);
  for (const text of ["", "a", "[]", '["a","b"]', '{"a":1}']) {
    equal(linkOf(text), null);
  }
});

test("a name changes wherever a field has it", () => {
  equal(renamed("curll", "curll", "curl"), "curl");
  equal(renamed('["curll","depends","x"]', "curll", "curl"),
        '["curl","depends","x"]');
  equal(renamed('["x", "depends", "curlls"]', "curll", "curl"),
        '["x", "depends", "curlls"]');
  equal(renamed("other", "curll", "curl"), "other");
  equal(renamed('["a","taged","b"]', "taged", "tagged"), '["a","tagged","b"]');
  equal(renamed('["tag","tag","b"]', "tag", "tags"), '["tags","tag","b"]');
});
