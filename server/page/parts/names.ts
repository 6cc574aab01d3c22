// Nodes, links and paths as text with links to their places.

import { el } from "../elements";
import type { ExplanationToken, Node, PathStep } from "../messages";
import { addressOf } from "../place";
import { visible } from "../text";

// A name on its own. Its letters may run right to left without moving what
// stands beside it.
export function nameOf(node: Node): HTMLElement {
  return el("bdi", { class: "name" }, visible(node.name || node.key));
}

// A name that leads to the node.
export function nodeLink(node: Node): HTMLElement {
  return el(
      "a", {
        class: "node", href: addressOf("find", { node: node.key }),
        title: `${visible(node.key)}, ${visible(node.type)}`
      }, nameOf(node));
}

// "−depends→", or "←depends−" against the relation.
export function arrowOf(step: PathStep): HTMLElement {
  const relation = visible(step.relation);
  const outward = step.direction !== "DIRECTION_IN";
  return el(
      "span", { class: "arrow" },
      outward ? "−" : "←", el("bdi", {}, relation), outward ? "→" : "−");
}

// A path that leaves `source`.
export function pathText(source: Node, steps: PathStep[]): HTMLElement {
  return el("span", { class: "path" }, nodeLink(source), steps.map(
      (step) => [" ", arrowOf(step), " ", nodeLink(step.node)]));
}

// What a token stands for.
export function tokenName(source: Node, token: ExplanationToken): HTMLElement {
  if (token.kind === "TOKEN_KIND_PATH") return pathText(source, token.path);
  if (token.node !== undefined) return nameOf(token.node);
  return el("span", {}, "the asked relation");
}
