// Questions as the other clients ask them, for readers who want to repeat one.

import type { Question } from "./api";
import type { GraphChange, LinkRef } from "./messages";

export interface Addresses {
  grpc: string; // HOST:PORT
  http: string; // "http://HOST:PORT"
}

export interface Commands {
  "slice-client": string;
  curl: string;
  Python: string;
}

// `text` as one word of a POSIX shell.
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_.:@%/+-]+$/.test(text)) return text;
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

// `text` as a literal of Python. Every escape of JSON is one of Python.
function pythonText(text: string): string {
  return JSON.stringify(text);
}

// A link as a value of slice-client's --with and --without.
function linkWords(link: LinkRef): string {
  const words = [link.source.name, link.relation, link.target.name];
  return words.join(words.some((word) => word.includes(" ")) ? "\t" : " ");
}

function linkTuple(link: LinkRef): string {
  const { source, relation, target } = link;
  return `(${[source.name, relation, target.name].map(pythonText).join(", ")})`;
}

function added(changes: GraphChange[]): LinkRef[] {
  return changes.flatMap((one) => "add_link" in one ? [one.add_link] : []);
}

function removed(changes: GraphChange[]): LinkRef[] {
  return changes.flatMap((one) => "remove_link" in one ? [one.remove_link] : []);
}

function curl(address: string, path: string, body: unknown): string {
  return `curl ${shellWord(address + path)} -H 'Content-Type: ` +
    `application/json' -d ${shellWord(JSON.stringify(body))}`;
}

function python(addresses: Addresses, call: string): string {
  return "from slice_client import Client\n\n" +
    `with Client(${pythonText(addresses.grpc)}) as s:\n    ${call}\n`;
}

// How to ask why, as if `changes` had been made.
export function explainCommands(
    addresses: Addresses, question: Question,
    changes: GraphChange[]): Commands {
  const { source, relation, target } = question;
  const words = ["slice-client", "--server", addresses.grpc, "explain"];
  for (const link of added(changes)) words.push("--with", linkWords(link));
  for (const link of removed(changes)) words.push("--without", linkWords(link));
  words.push("--", source, relation, target);
  const lists = [["add", added(changes)], ["remove", removed(changes)]] as const;
  const keywords = lists.filter(([, links]) => links.length > 0).map(
      ([name, links]) => `, ${name}=[${links.map(linkTuple).join(", ")}]`);
  return {
    "slice-client": words.map(shellWord).join(" "),
    curl: curl(addresses.http, "/v1/links:predict", {
      links: [{ source: { name: source }, relation, target: { name: target } }],
      explanation_level: "EXPLANATION_LEVEL_FULL",
      ...(changes.length === 0 ? {} : { what_if: { changes } })
    }),
    Python: python(
        addresses,
        `print(s.explain(${[source, relation, target].map(pythonText).join(", ")}` +
        `${keywords.join("")}).summary)`)
  };
}

// How to ask for recommendations of the end that is empty.
export function recommendCommands(
    addresses: Addresses, question: Question, k: number): Commands {
  const end = question.source === "" ? "target" : "source";
  const node = question[end];
  const { relation } = question;
  const asked = end === "source" ?
    `${pythonText(node)}, ${pythonText(relation)}` :
    `target=${pythonText(node)}, relation=${pythonText(relation)}`;
  return {
    "slice-client": [
      "slice-client", "--server", addresses.grpc, "recommend", `--${end}`,
      node, "--relation", relation, "--k", String(k)
    ].map(shellWord).join(" "),
    curl: curl(
        addresses.http, "/v1/links:recommend",
        { [end]: { name: node }, relation, k }),
    Python: python(
        addresses, `for one in s.recommend(${asked}, k=${k}):\n` +
        "        print(one.rank, one.node.name, one.probability)")
  };
}
