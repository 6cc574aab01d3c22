// Model: what answers, how good it was on test, how it is calibrated, and what
// the server does now.

import { getModelInfo, listRelations } from "../api";
import type { Part } from "../elements";
import { el } from "../elements";
import type { GetModelInfoResponse, RelationInfo } from "../messages";
import type { Column } from "../parts/data_table";
import { dataTable } from "../parts/data_table";
import { showIn } from "../parts/trouble";
import { addressOf, chosenModel } from "../place";
import { count, percent, visible } from "../text";
import { showLive } from "./live";
import type { Room, View } from "../view";

// The names of metrics in words, as the report has them (docs/evaluation.md).
const METRIC_WORDS: Record<string, string> = {
  "auroc": "AUROC", "f1": "F1", "accuracy": "accuracy",
  "average_precision": "average precision",
  "typed.auroc": "AUROC, type-matched negatives",
  "typed_non_links.auroc": "AUROC, non-links of the file, typed",
  "degree_matched.auroc": "AUROC, degree-matched negatives",
  "mrr": "MRR", "hits_at_1": "Hits@1", "hits_at_3": "Hits@3",
  "hits_at_10": "Hits@10"
};

// The most that a context holds.
function contextWords(
    { context_strategy: strategy, max_context_nodes: most }:
    GetModelInfoResponse): string {
  return `${strategy}, at most ${most} ${
    strategy === "paths" ? "types of paths, and the two ends" : "nodes"}`;
}

function facts(info: GetModelInfoResponse): HTMLElement {
  const newer = Number(info.graph_version) - Number(info.base_graph_version);
  const rows: [string, string][] = [
    ["model", info.model], ["bundle", info.bundle_id],
    ["preset", info.preset], ["trained", info.created],
    ["graph", `${count(info.node_count)} nodes, ${
      count(info.link_count)} links`],
    ["changes since training", newer === 0 ? "none" : `${count(newer)} versions`],
    ["network", `${info.layers} layers, ${info.heads} heads, width ${
      info.hidden_dim}`],
    ["context", contextWords(info)],
    ["links of an asked pair", info.own_pair_links],
    ["runs on", `${info.device}, ${info.forward_path}, ${
      info.instruction_set}`],
    ["server", info.server_version]
  ];
  return el("dl", { class: "facts card" }, rows.map(([name, value]) => el(
      "div", {}, el("dt", {}, name), el("dd", {}, visible(value)))));
}

function reportAddress(): string {
  const model = chosenModel();
  return model === "" ? "/report" :
    `/report?${new URLSearchParams({ model })}`;
}

function metricParts(info: GetModelInfoResponse): Part[] {
  const rows = Object.entries(info.metrics).filter(
      ([, value]) => value >= 0 && value <= 1).sort(
      ([a], [b]) => a.localeCompare(b));
  if (rows.length === 0) return [];
  const bar = (value: number) => {
    const inside = el("i");
    inside.style.width = `${100 * value}%`;
    return el("span", { class: "track", "aria-hidden": "true" }, inside);
  };
  return [
    el("h2", {}, "What training measured"),
    info.leaky && el("p", { class: "notes" },
                     "This model was trained on held-out links. Its numbers " +
                     "cannot be expected on new links."),
    el(
        "div", { class: "card" },
        el(
            "table", { class: "data" },
            el("caption", {}, "On held-out links; each bar is from 0 to 1"),
            el("thead", {}, el(
                "tr", {}, el("th", { scope: "col", class: "text" }, "measure"),
                el("th", { scope: "col" }, "value"), el("td"))),
            el("tbody", {}, rows.map(([name, value]) => {
              const [part = "", ...rest] = name.split(".");
              const words = METRIC_WORDS[rest.join(".")];
              return el(
                  "tr", { class: "ours" },
                  el("th", { scope: "row", class: "text" },
                     words === undefined ? visible(name) :
                       `${words} (${part})`),
                  el("td", {}, value.toFixed(4)),
                  el("td", { class: "bar" }, bar(value)));
            })))),
    el("p", {}, el("a", { href: reportAddress() },
                   "The report of its training"))
  ];
}

interface RelationRow extends RelationInfo {
  threshold: number;
  baseRate: number;
  temperature: number;
  rows: number | ""; // empty: not its own
}

const RELATION_COLUMNS: Column<RelationRow>[] = [
  { title: "relation", text: true, value: ({ name }) => name,
    cell: ({ name }) => el("bdi", {}, visible(name)) },
  { title: "links", value: ({ links }) => Number(links),
    cell: ({ links }) => count(links) },
  { title: "from", text: true,
    value: ({ source_types: types }) => types.map(visible).join(", ") },
  { title: "to", text: true,
    value: ({ target_types: types }) => types.map(visible).join(", ") },
  { title: "decision at", value: ({ threshold }) => threshold,
    cell: ({ threshold }) => percent(threshold) },
  { title: "links among valid rows", value: ({ baseRate }) => baseRate,
    cell: ({ baseRate }) => percent(baseRate) },
  { title: "temperature", value: ({ temperature }) => temperature,
    cell: ({ temperature }) => temperature.toFixed(3) },
  { title: "valid rows", value: ({ rows }) => rows,
    cell: ({ rows }) => rows === "" ? "–" : count(rows) }
];

function relationParts(
    info: GetModelInfoResponse, relations: RelationInfo[]): Part[] {
  const numbers = new Map(info.relation_calibrations.map(
      ({ relation, plausible }) => [relation, plausible]));
  const rows = relations.map((relation): RelationRow => {
    // Bundles of older formats calibrate all relations together.
    const own = numbers.get(relation.name);
    return {
      ...relation,
      threshold: own?.decision_threshold ?? info.decision_threshold,
      baseRate: own?.base_rate ?? info.base_rate,
      temperature: own?.temperature ?? info.temperature,
      rows: own === undefined ? "" : Number(own.rows)
    };
  });
  return [
    el("h2", {}, "Relations and their calibration"),
    dataTable(
        numbers.size === 0 ?
          "Each relation; this model calibrates all of them together" :
          "Each relation, and how its probabilities were calibrated; with few " +
          "valid rows, as those of all relations", "relations.csv",
        RELATION_COLUMNS, rows)
  ];
}

async function modelParts(room: Room): Promise<Part[]> {
  const [info, { relations }] = await Promise.all(
      [getModelInfo(room.signal), listRelations()]);
  return [
    facts(info),
    el("p", {}, `The scorer “${visible(info.scorer)}” answers: ${
      visible(info.scorer_reason || "no reason is known")}.`),
    metricParts(info), relationParts(info, relations),
    el("p", {}, el("a", { href: addressOf("ask") }, "Ask it"))
  ];
}

export const modelView: View = {
  title: "Model",
  async show(room) {
    const above = el("div");
    const live = el("div");
    room.element.append(above, el("h2", {}, "The server now"), live);
    const filled = showIn(
        above, "Reading the model", room.signal, () => modelParts(room));
    await showLive(live, room.signal, async () => {
      await filled;
      return above.querySelector(".trouble form") !== null;
    });
    await filled;
  }
};
