// Draws a context: the ends left and right, what stands between them in
// columns. The thickness of a link is its attention, the colour of a node its
// type. Nodes and links say more when the reader points at them or reaches them
// by keyboard.

import { linkHorizontal } from "d3-shape";

import type { ContextGraph, DrawnLink, DrawnNode } from "../context_graph";
import { el, svg } from "../elements";
import { addressOf } from "../place";
import { count, percent, shortened, visible } from "../text";

const WIDTH = 900;
const SIDE = 90; // left of the source and right of the target
const ROW = 62;
const RADIUS = 9;
const COLOURS = 6; // classes type0 … type5; further types share the last
const LABEL_LENGTH = 22;

type Point = [number, number];

// Columns that are almost the same become one.
function snapped({ column }: DrawnNode): number {
  return Math.round(column * 12) / 12;
}

// Puts the nodes of each column above each other, near their neighbours.
function layOut(graph: ContextGraph): { points: Point[], height: number } {
  const columns = new Map<number, number[]>();
  graph.nodes.forEach((node, i) => {
    const column = snapped(node);
    columns.set(column, [...columns.get(column) ?? [], i]);
  });
  const rows = Math.max(...[...columns.values()].map((all) => all.length));
  const height = Math.max(2, rows) * ROW;
  const heights = graph.nodes.map(() => height / 2);
  const neighbours = graph.nodes.map((_, i) => graph.links.flatMap(
      ({ source, target }) =>
        source === i ? [target] : target === i ? [source] : []));
  const wish = (i: number) => {
    const all = neighbours[i] ?? [];
    const sum = all.reduce((total, one) => total + (heights[one] ?? 0), 0);
    return all.length === 0 ? height / 2 : sum / all.length;
  };
  for (let round = 0; round < 4; ++round) {
    for (const column of columns.values()) {
      const wishes = new Map(column.map((i) => [i, wish(i)]));
      column.sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0));
      column.forEach((node, place) => {
        heights[node] = (place + 0.5) * height / column.length;
      });
    }
  }
  const points = graph.nodes.map((node, i): Point => [
    SIDE + snapped(node) * (WIDTH - 2 * SIDE), heights[i] ?? 0
  ]);
  return { points, height };
}

function linkWords(graph: ContextGraph, link: DrawnLink): string {
  const name = (i: number) => visible(graph.nodes[i]?.node.name ?? "");
  const paths = link.paths === 0 ? "" :
    `; of paths that stand for ${count(link.paths)}`;
  return `${name(link.source)} −${visible(link.relation)}→ ` +
    `${name(link.target)}; attention ${percent(link.attention)}${paths}`;
}

function nodeWords({ node, attention }: DrawnNode): string {
  return `${visible(node.name)}, ${visible(node.type)}; attention ` +
    percent(attention);
}

// The classes of node types, in the order of their names.
function typeClasses(graph: ContextGraph): Map<string, string> {
  const types = new Set(graph.nodes.map(({ node }) => node.type));
  return new Map([...types].sort().map(
      (type, i) => [type, `type${Math.min(i, COLOURS - 1)}`]));
}

export function drawNetwork(graph: ContextGraph, title: string): HTMLElement {
  const { points, height } = layOut(graph);
  const details = el(
      "p", { class: "details", role: "status" },
      "Point at a node or a link to read more. A node leads to its neighbours.");
  // Says `words` while the reader points at `element`.
  const saying = <E extends Element>(element: E, words: string): E => {
    for (const event of ["pointerenter", "focus"]) {
      element.addEventListener(event, () => details.textContent = words);
    }
    return element;
  };
  const point = (i: number): Point => points[i] ?? [0, 0];
  const curve = linkHorizontal();
  const most = Math.max(1e-9, ...graph.links.map(({ attention }) => attention));
  const links = graph.links.map((link) => {
    const words = linkWords(graph, link);
    const ends = [point(link.source), point(link.target)] as const;
    const [left, right] = ends[0][0] <= ends[1][0] ? ends : [ends[1], ends[0]];
    const path = curve({ source: left, target: right }) ?? "";
    const forward = left === ends[0];
    const middle: Point = [
      (left[0] + right[0]) / 2, (left[1] + right[1]) / 2
    ];
    return saying(svg(
        "g", { class: "link", tabindex: 0, role: "img", "aria-label": words },
        svg("path", { class: "reach", d: path }),
        svg("path", {
          class: "line", d: path,
          "stroke-width": (1 + 7 * link.attention / most).toFixed(2)
        }),
        svg(
            "text", { x: middle[0], y: middle[1] - 5, class: "relation" },
            forward ? "" : "← ", shortened(visible(link.relation), 18),
            forward ? " →" : "")), words);
  });
  const classes = typeClasses(graph);
  const nodes = graph.nodes.map((drawn, i) => {
    const [x, y] = point(i);
    const words = nodeWords(drawn);
    const end = drawn.role !== "between";
    return saying(svg(
        "a", {
          class: `dot ${classes.get(drawn.node.type)} ${drawn.role}`,
          href: addressOf("find", { node: drawn.node.key }),
          "aria-label": words
        },
        svg("circle", { cx: x, cy: y, r: end ? RADIUS + 3 : RADIUS }),
        svg(
            "text", { x, y: y + RADIUS + (end ? 18 : 14) },
            shortened(visible(drawn.node.name), LABEL_LENGTH))), words);
  });
  return el(
      "figure", { class: "card" },
      el("figcaption", {}, title),
      el(
          "div", { class: "scroll", tabindex: "0", role: "region",
                   "aria-label": title },
          svg(
              "svg", {
                class: "network", viewBox: `0 0 ${WIDTH} ${height + 24}`
              }, links, nodes)),
      el(
          "p", { class: "legend" },
          [...classes].map(([type, name]) => el(
              "span", { class: `key ${name}` }, el("bdi", {}, visible(type)))),
          el("span", { class: "plain" }, "thicker = more attention")),
      details);
}
