// How the representations of the tokens move over the layers: a line for each
// token, from its embedding to what the last layer makes of it. A place says how
// like the representation is to those of the two ends.

import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

import { el, svg } from "../elements";
import type { ExplanationToken, Node } from "../messages";
import { tokenName } from "../parts/names";

const SIZE = 420;
const LEFT = 46;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 42;
const COLOURS = 6; // classes fill0 … fill5; the ends have the first two

interface Place {
  source: number; // cosine with the source
  target: number; // cosine with the target
}

// [tokens][layers + 1]: where each token is before the layers and after each.
export function movements(
    cosines: number[], layers: number, tokens: number): Place[][] {
  return [...Array(tokens).keys()].map(
      (token) => [...Array(layers + 1).keys()].map((layer) => {
        const at = (layer * tokens + token) * 2;
        return { source: cosines[at] ?? 0, target: cosines[at + 1] ?? 0 };
      }));
}

// What became of the two ends, in words.
export function endsInWords(ways: Place[][]): string {
  const ends = ways[0] ?? [];
  const before = ends[0]?.target ?? 0;
  const after = ends[ends.length - 1]?.target ?? 0;
  const cosines = `from ${before.toFixed(2)} to ${after.toFixed(2)}`;
  if (Math.abs(after - before) < 0.005) {
    return `The cosine of the two ends stays at ${after.toFixed(2)}.`;
  }
  return after > before ?
    `The layers bring the two ends closer: their cosine goes ${cosines}.` :
    `The layers part the two ends: their cosine goes ${cosines}.`;
}

function chart(
    ways: Place[][], say: (words: string) => void): SVGElement {
  const all = ways.flat().flatMap(({ source, target }) => [source, target]);
  const low = Math.min(0, ...all);
  const x = scaleLinear().domain([low, 1]).range([LEFT, SIZE - RIGHT]);
  const y = scaleLinear().domain([low, 1]).range([SIZE - BOTTOM, TOP]);
  const path = line<Place>().x(({ source }) => x(source)).y(
      ({ target }) => y(target));
  const grid = y.ticks(5).map((tick) => [
    svg("line", {
      class: "grid", x1: LEFT, x2: SIZE - RIGHT, y1: y(tick), y2: y(tick)
    }),
    svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, tick),
    svg("text", {
      x: x(tick), y: SIZE - BOTTOM + 16, "text-anchor": "middle"
    }, tick)
  ]);
  // The ends come last, over the others.
  const drawn = ways.map((way, token) => {
    const colour = token < 2 ? token : 2 + (token - 2) % (COLOURS - 2);
    const [first, last] = [way[0], way[way.length - 1]];
    if (first === undefined || last === undefined) return [];
    const one = svg(
        "g", {},
        svg("path", { class: `way line${colour}`, d: path(way) ?? "" }),
        svg("circle", {
          class: `start line${colour}`, cx: x(first.source),
          cy: y(first.target), r: 4
        }),
        svg("circle", {
          class: `fill${colour}`, cx: x(last.source), cy: y(last.target),
          r: token < 2 ? 9 : 5
        }),
        // Tokens gather, so only the ends have room for their numbers.
        token < 2 && svg("text", {
          class: "number", x: x(last.source), y: y(last.target) + 4,
          "text-anchor": "middle"
        }, token + 1));
    one.addEventListener("pointerenter", () => say(
        `Token ${token + 1}: ` + way.map(({ source, target }) =>
          `${source.toFixed(2)} / ${target.toFixed(2)}`).join(" → ") +
        " (cosine with the source / with the target)"));
    return one;
  });
  return svg(
      "svg", {
        class: "chart movement", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img",
        "aria-label": "How the tokens move; the table below has the numbers"
      },
      grid,
      svg("text", {
        x: (LEFT + SIZE - RIGHT) / 2, y: SIZE - 6, "text-anchor": "middle"
      }, "cosine with the source"),
      svg("text", {
        "text-anchor": "middle",
        transform: `translate(12 ${(TOP + SIZE - BOTTOM) / 2}) rotate(-90)`
      }, "cosine with the target"),
      [...drawn].reverse());
}

function numbersTable(ways: Place[][]): HTMLElement {
  const heads = (ways[0] ?? []).map(
      (_, layer) => layer === 0 ? "embedding" : `after layer ${layer}`);
  return el(
      "div", { class: "scroll", tabindex: "0", role: "region",
               "aria-label": "Movement, as numbers" },
      el(
          "table", { class: "data" },
          el("caption", {}, "Cosine with the source / with the target"),
          el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "token"),
                             heads.map((head) => el(
                                 "th", { scope: "col" }, head)))),
          el("tbody", {}, ways.map((way, token) => el(
              "tr", {}, el("th", { scope: "row" }, token + 1),
              way.map(({ source, target }) => el(
                  "td", {}, `${source.toFixed(3)} / ${target.toFixed(3)}`)))))));
}

export function drawMovement(
    source: Node, tokens: ExplanationToken[], cosines: number[],
    layers: number): HTMLElement {
  const ways = movements(cosines, layers, tokens.length);
  const details = el(
      "p", { class: "details", role: "status" },
      "Each line begins, with a ring, where the embedding of a token is, and " +
      "ends where the last layer puts it. Point at it to read which token it " +
      "is; 1 and 2 are the ends.");
  return el(
      "div", { class: "card" },
      el("p", {}, endsInWords(ways)),
      el("div", { class: "movement-and-names" },
         chart(ways, (words) => details.textContent = words),
         el("ol", { class: "tokens" }, tokens.map(
             (token) => el("li", {}, tokenName(source, token))))),
      details,
      el("details", {}, el("summary", {}, "As numbers"), numbersTable(ways)));
}
