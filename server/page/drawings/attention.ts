// The attention matrices of an explanation, a heat map for each layer and head
// as in the figures of the paper: row i shows what token i receives from each
// token.

import { el, svg } from "../elements";
import type { AttentionMatrix, ExplanationToken, Node } from "../messages";
import { tokenName } from "../parts/names";
import { percent } from "../text";

const CELL = 18;
const MARGIN = 24; // for the positions

// One matrix; `weight(row, column)` is in [0, 1], and `most` is drawn darkest.
function heatMap(
    title: string, tokens: number, most: number,
    weight: (row: number, column: number) => number,
    say: (words: string) => void): HTMLElement {
  const size = MARGIN + tokens * CELL;
  const positions = [...Array(tokens).keys()];
  const cells = positions.flatMap((row) => positions.map((column) => {
    const value = weight(row, column);
    const cell = svg("rect", {
      class: "cell", x: MARGIN + column * CELL, y: MARGIN + row * CELL,
      width: CELL, height: CELL,
      "fill-opacity": Math.min(1, value / most).toFixed(3)
    });
    cell.addEventListener("pointerenter", () => say(
        `${title}: token ${row + 1} receives ${percent(value)} from token ` +
        `${column + 1}`));
    return cell;
  }));
  const every = tokens > 20 ? 5 : 1;
  const marks = positions.filter((i) => i % every === 0).flatMap((i) => [
    svg(
        "text", {
          x: MARGIN + (i + 0.5) * CELL, y: MARGIN - 6, "text-anchor": "middle"
        }, i + 1),
    svg(
        "text", {
          x: MARGIN - 5, y: MARGIN + (i + 0.5) * CELL + 4,
          "text-anchor": "end"
        }, i + 1)
  ]);
  return el(
      "figure", { class: "heat-map" }, el("figcaption", {}, title),
      svg(
          "svg", {
            class: "chart", viewBox: `0 0 ${size} ${size}`, role: "img",
            "aria-label": `${title}: heat map; the table below has the numbers`
          }, cells, marks));
}

function scale(most: number): HTMLElement {
  const steps = [...Array(10).keys()];
  return el(
      "p", { class: "scale muted small" }, "0 ",
      svg(
          "svg", { width: 100, height: 12, "aria-hidden": "true" },
          steps.map((i) => svg("rect", {
            class: "cell", x: i * 10, y: 0, width: 10, height: 12,
            "fill-opacity": ((i + 1) / 10).toFixed(1)
          }))), ` ${percent(most)}`);
}

function numbersTable(
    title: string, tokens: number,
    weight: (row: number, column: number) => number): HTMLElement {
  const positions = [...Array(tokens).keys()];
  return el(
      "div", { class: "scroll", tabindex: "0", role: "region",
               "aria-label": `${title}, as numbers` },
      el(
          "table", { class: "data" },
          el("caption", {}, title),
          el(
              "thead", {}, el(
                  "tr", {}, el("th", { scope: "col" }, "receives from"),
                  positions.map((i) => el("th", { scope: "col" }, i + 1)))),
          el("tbody", {}, positions.map((row) => el(
              "tr", {}, el("th", { scope: "row" }, row + 1),
              positions.map((column) => el(
                  "td", {}, weight(row, column).toFixed(3))))))));
}

export function drawAttention(
    source: Node, tokens: ExplanationToken[],
    attention: AttentionMatrix): HTMLElement {
  const { layers, heads, weights } = attention;
  const size = attention.tokens;
  const details = el(
      "p", { class: "details", role: "status" },
      "Row i shows what token i receives from each token.");
  const say = (words: string) => details.textContent = words;
  const most = weights.reduce((a, b) => Math.max(a, b), 1e-9);
  const matrices = [...Array(layers * heads).keys()].map((i) => ({
    title: `Layer ${Math.floor(i / heads) + 1}, head ${i % heads + 1}`,
    weight: (row: number, column: number) =>
      weights[(i * size + row) * size + column] ?? 0
  }));
  return el(
      "div", { class: "card" },
      el(
          "div", { class: "heat-maps" },
          matrices.map(({ title, weight }) => heatMap(
              title, size, most, weight, say))),
      scale(most), details,
      el("ol", { class: "tokens" }, tokens.map(
          (token) => el("li", {}, tokenName(source, token)))),
      el(
          "details", {}, el("summary", {}, "As numbers"),
          matrices.map(({ title, weight }) => numbersTable(title, size, weight))));
}
