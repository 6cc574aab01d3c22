import { equal, fail } from "node:assert/strict";
import { test } from "node:test";

import type { Trouble } from "../../server/page/api";
import {
  CallError, explainLink, findNodes, getMetrics
} from "../../server/page/api";

const QUESTION = { source: "a", relation: "r", target: "b" };
const NEVER = new AbortController().signal;

function lend(name: string, value: unknown) {
  Object.defineProperty(globalThis, name, { configurable: true, value });
}

lend("location", { origin: "http://here", search: "" });

// Answers every call by `body`, which may fail or take its time.
function answerBy(body: () => Promise<string>, status = 200) {
  lend("fetch", (_: string, { signal }: RequestInit) => Promise.resolve({
    ok: status === 200, status,
    text: () => Promise.race([body(), new Promise((_, leave) =>
      signal?.addEventListener("abort", () => leave(new Error("aborted"))))])
  }));
}

async function troubleOf(call: Promise<unknown>): Promise<Trouble> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return error.trouble;
    throw error;
  }
  return fail("the call was answered");
}

test("an answer that breaks off is that of a server that is gone", async () => {
  answerBy(() => Promise.reject(new TypeError("network error")));
  equal(await troubleOf(getMetrics(NEVER)), "gone");
  equal(await troubleOf(findNodes("a", 1, "", NEVER)), "gone");
  answerBy(() => Promise.reject(new TypeError("network error")), 500);
  equal(await troubleOf(getMetrics(NEVER)), "gone");
});

test("an answer without an end takes too long", async () => {
  const pending: (() => void)[] = [];
  const { setTimeout: real } = globalThis;
  lend("setTimeout", (late: () => void) => pending.push(late));
  answerBy(() => new Promise(() => undefined));
  const trouble = troubleOf(getMetrics(NEVER));
  lend("setTimeout", real);
  await new Promise((resolve) => setTimeout(resolve, 0));
  pending.forEach((late) => late());
  equal(await trouble, "late");
});

test("an answer that is not wanted any more is left", async () => {
  const shown = new AbortController();
  answerBy(() => new Promise(() => undefined));
  const call = getMetrics(shown.signal);
  await Promise.resolve();
  shown.abort();
  let left = false;
  await call.catch((error) => left = !(error instanceof CallError));
  equal(left, true);
});

test("the status of a link says what can be done", async () => {
  const troubles: [number, Trouble][] = [
    [3, "request"], [5, "unknown"], [9, "request"], [13, "server"],
    [14, "busy"]
  ];
  for (const [code, trouble] of troubles) {
    const answer = { results: [{ status: { code, message: "why" } }] };
    answerBy(() => Promise.resolve(JSON.stringify(answer)));
    equal(await troubleOf(explainLink(QUESTION, undefined, NEVER)), trouble);
  }
});

test("storage that is blocked, and a token that no header takes, stop no call",
     async () => {
  answerBy(() => Promise.resolve("text"));
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true, get: () => {
      throw new Error("SecurityError");
    }
  });
  equal(await getMetrics(NEVER), "text");
  lend("sessionStorage", { getItem: () => "tökén" });
  equal(await getMetrics(NEVER), "text");
});
