import { equal, ok } from "node:assert/strict";
import { test } from "node:test";

import {
  explainCommands, recommendCommands, shellWord
} from "../../server/page/commands";

const ADDRESSES = { grpc: "localhost:50051", http: "http://localhost:8080" };
const QUESTION = { source: "it's", relation: "tagged", target: "a b" };

test("words of a shell are what they were", () => {
  equal(shellWord("role::devel-lib"), "role::devel-lib");
  equal(shellWord("it's $HOME"), "'it'\\''s $HOME'");
  equal(shellWord(""), "''");
});

test("an explanation is asked by each client", () => {
  const links = [{ source: { name: "x" }, relation: "r", target: { name: "y z" } }];
  const commands = explainCommands(
      ADDRESSES, QUESTION, links.map((link) => ({ remove_link: link })));
  equal(commands["slice-client"],
        "slice-client --server localhost:50051 explain --without " +
        "'x\tr\ty z' -- 'it'\\''s' tagged 'a b'");
  ok(commands.curl.includes("'Content-Type: application/json'"));
  ok(commands.curl.includes('"remove_link"'));
  ok(commands.Python.includes(
      's.explain("it\'s", "tagged", "a b", remove=[("x", "r", "y z")])'));
});

test("recommendations are asked from the end that is known", () => {
  const commands = recommendCommands(
      ADDRESSES, { source: "", relation: "tagged", target: "x" }, { k: 5 });
  equal(commands["slice-client"],
        "slice-client --server localhost:50051 recommend --target x " +
        "--relation tagged --k 5");
  ok(commands.Python.includes('s.recommend(target="x", relation="tagged", k=5)'));
});

test("each client asks the model of the page, as the page does", () => {
  const there = {
    grpc: "unix:/run/s.sock", http: "https://here", tls: true, model: "new one"
  };
  const explained = explainCommands(there, QUESTION, []);
  const recommended = recommendCommands(
      there, { source: "x", relation: "r", target: "" },
      { k: 5, type: "a tag", includeExisting: true });
  for (const commands of [explained, recommended]) {
    ok(commands["slice-client"].startsWith(
        "slice-client --server unix:/run/s.sock --tls --model 'new one' "));
    ok(commands.curl.includes('"model":"new one"'));
    ok(commands.Python.includes(
        'Client("unix:/run/s.sock", tls=True, model="new one")'));
  }
  ok(recommended["slice-client"].endsWith(
      "--k 5 --type 'a tag' --include-existing"));
  ok(recommended.curl.includes(
      '"k":5,"type":"a tag","include_existing":true'));
  ok(recommended.Python.includes(
      's.recommend("x", "r", k=5, type="a tag", include_existing=True)'));
});
