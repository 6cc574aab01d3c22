import { el } from "../elements";
import { signed } from "../text";

export interface SignedBar {
  label: () => Node | string;
  value: number;
  notes: string[]; // one for each of the further columns
}

const FIRST = 10; // of a long table

// A table whose bars reach left of the middle for what speaks against a link,
// and right for what speaks for it. `titles` names the columns of labels, of
// values and of notes. Of a long table, what follows the first rows is folded.
export function signedBars(
    caption: string, titles: string[], bars: SignedBar[]): HTMLElement {
  if (bars.length <= FIRST + 2) return table(caption, titles, bars);
  return el(
      "div", {}, table(`${caption}: the first ${FIRST}`, titles,
                       bars.slice(0, FIRST)),
      el("details", { class: "card" }, el("summary", {}, `All ${bars.length}`),
         table(caption, titles, bars)));
}

function table(
    caption: string, titles: string[], bars: SignedBar[]): HTMLElement {
  const most = Math.max(1e-9, ...bars.map(({ value }) => Math.abs(value)));
  const barOf = ({ value }: SignedBar) => {
    const bar = el("i", { class: value < 0 ? "against" : "for" });
    bar.style.width = `${50 * Math.abs(value) / most}%`;
    return el("span", { class: "signed", "aria-hidden": "true" }, bar);
  };
  return el(
      "div", {
        class: "scroll card", tabindex: "0", role: "region",
        "aria-label": caption
      },
      el(
          "table", { class: "data bars" },
          el("caption", {}, caption),
          el("thead", {}, el("tr", {}, titles.map((title, i) => el(
              "th", { scope: "col", class: i === 0 ? "text" : undefined },
              title)), el("td", {}))),
          el("tbody", {}, bars.map((bar) => el(
              "tr", {}, el("th", { scope: "row", class: "text" }, bar.label()),
              el("td", {}, signed(bar.value)),
              bar.notes.map((note) => el("td", {}, note)),
              el("td", { class: "bar" }, barOf(bar)))))));
}
