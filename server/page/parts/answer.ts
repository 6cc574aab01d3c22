// The parts of an answer that several views show.

import { el } from "../elements";
import type { LinkFlags, LinkResult } from "../messages";
import { percent, visible } from "../text";
import { arrowOf, nodeLink } from "./names";

// How recommendations are ordered, whatever networks the model has.
export const ORDER_NOTE =
  "The order is that of scores that compare nodes. The percentages are " +
  "calibrated one by one, and need not fall from row to row.";

export function linkTitle(result: LinkResult): HTMLElement {
  const { source, relation, target } = result;
  return el(
      "p", { class: "link-title" }, nodeLink(source), " ",
      arrowOf({ relation, direction: "DIRECTION_OUT", node: target }), " ",
      nodeLink(target));
}

export function tile(value: string, what: string): HTMLElement {
  return el("div", { class: "tile" }, el("b", {}, value), el("span", {}, what));
}

export function answerTiles(result: LinkResult): HTMLElement {
  return el(
      "div", { class: "tiles" },
      tile(percent(result.probability),
           "that this pair is linked, among any pairs of nodes"),
      tile(percent(result.probability_among_kind),
           "that this is the right target, among nodes of its kind"),
      tile(result.decision ? "link" : "no link",
           `as the first is ${result.decision ? "at least" : "below"} ${
             percent(result.decision_threshold)}`));
}

// What the reader should know before trusting an answer.
export function noteList(notes: string[]): HTMLElement | false {
  return notes.length > 0 && el(
      "div", { class: "notes" },
      el("ul", {}, notes.map((note) => el("li", {}, note))));
}

export function flagNotes(flags: LinkFlags): HTMLElement | false {
  return noteList(flags.notes.map(visible));
}
