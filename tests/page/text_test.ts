import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { csvField, csvText } from "../../server/page/parts/data_table";
import { percent, shortened, signed, visible } from "../../server/page/text";

test("a name cannot hide or reorder what stands beside it", () => {
  equal(visible("a\u202eb"), "a⟨U+202E⟩b");
  equal(visible("a\nb\u0000"), "a⟨U+000A⟩b⟨U+0000⟩");
  equal(visible("\u{e0041}"), "⟨U+E0041⟩");
  equal(visible("<script>"), "<script>"); // markup is a matter of elements.ts
  equal(visible("نام‌ها, 名前"), "نام‌ها, 名前");
});

test("texts are cut between characters", () => {
  equal(shortened("abcdef", 4), "abc…");
  equal(shortened("💡💡💡", 3), "💡💡💡");
});

test("a probability that is not 0 or 1 does not look like it", () => {
  deepEqual([1, 0.9999999, 0.9998, 0.995, 0.5, 0.0004, 1e-9, 0].map(percent), [
    "100.000 %", "> 99.999 %", "99.980 %", "99.50 %", "50.0 %", "0.040 %",
    "< 0.001 %", "0.000 %"
  ]);
});

test("signs are those of mathematics", () => {
  deepEqual([1.234, -0.3, 0, -0.001].map(signed),
            ["+1.23", "−0.30", "+0.00", "+0.00"]);
});

test("fields of CSV are quoted, and spreadsheets compute nothing", () => {
  equal(csvField('a "b", c'), '"a ""b"", c"');
  equal(csvField("=HYPERLINK(1)"), "'=HYPERLINK(1)");
  equal(csvField(-1), "-1");
  const columns = [{ title: "a,b", value: ([one]: string[]) => one ?? "" }];
  equal(csvText(columns, [["x\ny"]]), '"a,b"\r\n"x\ny"\r\n');
});

test("a column may have another title in its file", () => {
  const columns = [
    { title: "reasons", saved: "key", value: ([one]: string[]) => one ?? "" }
  ];
  equal(csvText(columns, [["x"]]), "key\r\nx\r\n");
});
