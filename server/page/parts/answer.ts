// The parts of an answer that several views show.

import { el } from "../elements";
import type { LinkFlags, LinkResult } from "../messages";
import { percent, visible } from "../text";
import { arrowOf, nodeLink } from "./names";

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
      tile(percent(result.probability), "probability among all pairs"),
      tile(percent(result.probability_among_kind),
           "probability among nodes of its kind"),
      tile(result.decision ? "link" : "no link",
           `decision, at ${percent(result.decision_threshold)} and more`));
}

// What the reader should know before trusting the answer.
export function flagNotes(flags: LinkFlags): HTMLElement | false {
  const notes = flags.notes.map((note) => el("li", {}, visible(note)));
  return notes.length > 0 && el("div", { class: "notes" }, el("ul", {}, notes));
}
