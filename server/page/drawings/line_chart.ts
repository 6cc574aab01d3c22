// A chart of lines over time, which the live numbers of the server need.

import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

import { el, svg } from "../elements";

const WIDTH = 520;
const HEIGHT = 190;
const LEFT = 62;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;

export interface ChartPoint {
  x: number;
  y: number | null; // null = not known: the line has a gap
}

export interface ChartLine {
  name: string;
  points: ChartPoint[];
}

export interface ChartAxes {
  title: string;
  x: { label: string, low: number, high: number };
  y: { label: string, format: (value: number) => string };
}

export function lineChart(axes: ChartAxes, lines: ChartLine[]): HTMLElement {
  const heights = lines.flatMap(({ points }) => points.map(({ y }) => y ?? 0));
  const x = scaleLinear().domain([axes.x.low, axes.x.high]).range(
      [LEFT, WIDTH - RIGHT]);
  const y = scaleLinear().domain([0, Math.max(...heights) || 1]).nice().range(
      [HEIGHT - BOTTOM, TOP]);
  const path = line<ChartPoint>().x((point) => x(point.x)).y(
      (point) => y(point.y ?? 0)).defined((point) => point.y !== null);
  const last = (points: ChartPoint[]) => points[points.length - 1]?.y ?? null;
  const grid = y.ticks(4).map((tick) => [
    svg("line", {
      class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick)
    }),
    svg(
        "text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" },
        axes.y.format(tick))
  ]);
  const marks = x.ticks(4).map((tick) => svg(
      "text", { x: x(tick), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" },
      tick));
  const said = lines.map(({ name, points }) => {
    const value = last(points);
    return `${name}: ${value === null ? "none" : axes.y.format(value)}`;
  });
  return el(
      "figure", { class: "card" },
      el("figcaption", {}, axes.title),
      el("p", { class: "legend" }, said.map(
          (words, i) => el("span", { class: `key${i}` }, words))),
      svg(
          "svg", {
            class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
            "aria-label": `${axes.title} now: ${said.join(", ")}`
          },
          grid, marks,
          svg("text", {
            x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end"
          }, axes.x.label),
          svg("text", { x: 0, y: HEIGHT - 4 }, axes.y.label),
          lines.map(({ points }, i) => svg(
              "path", { class: `line line${i}`, d: path(points) ?? "" }))));
}
