// Questions as the other clients ask them, for readers who want to repeat one.

import type { Question } from "./api";
import type { GraphChange, LinkRef } from "./messages";

export interface Addresses {
  grpc: string; // HOST:PORT or unix:PATH
  http: string; // "http://HOST:PORT"
  tls?: boolean;
  model?: string; // to ask; empty = the default model
}

// Which recommendations are asked for.
export interface Choice {
  k: number;
  type?: string; // empty = of all types
  includeExisting?: boolean;
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

function client(addresses: Addresses, words: string[]): string {
  const { grpc, tls, model } = addresses;
  return [
    "slice-client", "--server", grpc, ...tls ? ["--tls"] : [],
    ...model ? ["--model", model] : [], ...words
  ].map(shellWord).join(" ");
}

function curl(addresses: Addresses, path: string, body: object): string {
  const { http, model } = addresses;
  const question = JSON.stringify({ ...body, ...model ? { model } : {} });
  return `curl ${shellWord(http + path)} -H 'Content-Type: ` +
    `application/json' -d ${shellWord(question)}`;
}

function python(addresses: Addresses, call: string): string {
  const { grpc, tls, model } = addresses;
  const settings = pythonText(grpc) + (tls ? ", tls=True" : "") +
    (model ? `, model=${pythonText(model)}` : "");
  return "from slice_client import Client\n\n" +
    `with Client(${settings}) as s:\n    ${call}\n`;
}

// How to ask why, as if `changes` had been made.
export function explainCommands(
    addresses: Addresses, question: Question,
    changes: GraphChange[]): Commands {
  const { source, relation, target } = question;
  const words = ["explain"];
  for (const link of added(changes)) words.push("--with", linkWords(link));
  for (const link of removed(changes)) words.push("--without", linkWords(link));
  words.push("--", source, relation, target);
  const lists = [["add", added(changes)], ["remove", removed(changes)]] as const;
  const keywords = lists.filter(([, links]) => links.length > 0).map(
      ([name, links]) => `, ${name}=[${links.map(linkTuple).join(", ")}]`);
  return {
    "slice-client": client(addresses, words),
    curl: curl(addresses, "/v1/links:predict", {
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
    addresses: Addresses, question: Question, choice: Choice): Commands {
  const end = question.source === "" ? "target" : "source";
  const node = question[end];
  const { relation } = question;
  const { k, type, includeExisting } = choice;
  const asked = end === "source" ?
    `${pythonText(node)}, ${pythonText(relation)}` :
    `target=${pythonText(node)}, relation=${pythonText(relation)}`;
  const chosen = `k=${k}` + (type ? `, type=${pythonText(type)}` : "") +
    (includeExisting ? ", include_existing=True" : "");
  return {
    "slice-client": client(addresses, [
      "recommend", `--${end}`, node, "--relation", relation, "--k", String(k),
      ...type ? ["--type", type] : [],
      ...includeExisting ? ["--include-existing"] : []
    ]),
    curl: curl(addresses, "/v1/links:recommend", {
      [end]: { name: node }, relation, k, ...type ? { type } : {},
      ...includeExisting ? { include_existing: true } : {}
    }),
    Python: python(
        addresses, `for one in s.recommend(${asked}, ${chosen}):\n` +
        "        print(one.rank, one.node.name, one.probability)")
  };
}
