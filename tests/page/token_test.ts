import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";

import { isToken, keepToken, keptToken } from "../../server/page/token";

function lend(storage: unknown) {
  Object.defineProperty(
      globalThis, "sessionStorage", { configurable: true, get: () => {
        if (storage === undefined) throw new Error("SecurityError");
        return storage;
      } });
}

test("a token is what a header can carry", () => {
  ok(isToken("eyJh.e30~+/="));
  for (const text of ["", "a b", "tökén", "a\nb", "a\u0000", "“a”"]) {
    equal(isToken(text), false);
  }
});

test("a token is kept, with and without storage", () => {
  lend(undefined);
  equal(keptToken(), null);
  keepToken("one");
  equal(keptToken(), "one");
  const texts = new Map<string, string>();
  lend({
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => texts.set(name, text)
  });
  keepToken("two");
  equal(keptToken(), "two");
  deepEqual([...texts.values()], ["two"]);
});

test("what no header can carry is no token", () => {
  lend({ getItem: () => "tökén" });
  equal(keptToken(), null);
});
