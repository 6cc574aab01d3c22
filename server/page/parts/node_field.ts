// A text field for a node, with suggestions: a combobox as ARIA describes it.
// Arrows choose, Enter takes, Escape closes. A suggestion that is taken fills
// the field with its key; the form is the reader's to send.

import { findNodes } from "../api";
import { el } from "../elements";
import type { Node } from "../messages";
import { visible } from "../text";
import { nameOf } from "./names";

const SUGGESTIONS = 8;
const PAUSE_MS = 120; // after a key, before the server is asked

export interface NodeField {
  element: HTMLElement;
  input: HTMLInputElement;
}

export interface NodeFieldOptions {
  id: string; // of the input
  label: string;
  value: string;
  hint?: string;
  // What follows, once the field is filled. Of a similar name no key is known:
  // it is empty.
  taken?: (node: Node) => void;
}

class Suggestions {
  readonly list: HTMLElement;
  private nodes: Node[] = [];
  private chosen = -1;
  private timer = 0;
  private pending = new AbortController();

  constructor(
      private readonly input: HTMLInputElement,
      private readonly taken: (node: Node) => void) {
    this.list = el("ul", {
      class: "suggestions", role: "listbox", id: `${input.id}-list`,
      "aria-label": "Suggestions", hidden: true
    });
  }

  // Asks for suggestions once the reader pauses. What is chosen of the old ones
  // need not fit the new text.
  later() {
    this.choose(-1);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.fetch(), PAUSE_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.pending.abort();
    this.list.hidden = true;
    this.choose(-1);
    this.input.setAttribute("aria-expanded", "false");
  }

  // Moves the choice; returns whether there is a list to move in. Of a list
  // without a choice, the first is below and the last above.
  move(by: number): boolean {
    const { length } = this.list.children;
    if (this.list.hidden || length === 0) return false;
    const from = this.chosen < 0 && by < 0 ? 0 : this.chosen;
    this.choose((from + by + length) % length);
    return true;
  }

  // Takes the chosen suggestion; returns whether there was one.
  take(): boolean {
    const node = this.nodes[this.chosen];
    if (this.list.hidden || node === undefined) return false;
    this.input.value = node.key || node.name;
    this.close();
    this.taken(node);
    return true;
  }

  // Chooses the suggestion at `place`; none at -1.
  private choose(place: number) {
    const options = [...this.list.children];
    options.forEach((option, i) => option.setAttribute(
        "aria-selected", String(i === place)));
    const option = options[place];
    this.chosen = place;
    if (option === undefined) {
      this.input.removeAttribute("aria-activedescendant");
    } else {
      this.input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  }

  private async fetch() {
    this.pending.abort();
    this.pending = new AbortController();
    const { signal } = this.pending;
    try {
      const found = await findNodes(
          this.input.value, SUGGESTIONS, "", signal);
      if (!signal.aborted) this.show(found.nodes, found.near_misses);
    } catch {
      // The question itself will say what is wrong.
      if (!signal.aborted) this.close();
    }
  }

  private show(nodes: Node[], nearMisses: string[]) {
    const near = nearMisses.slice(0, SUGGESTIONS - nodes.length).map(
        (name) => ({ key: "", name, type: "similar" }));
    this.nodes = [...nodes, ...near];
    this.list.replaceChildren(
        ...this.nodes.map((node, i) => this.option(node, i)));
    this.choose(-1);
    this.list.hidden = this.nodes.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
  }

  private option(node: Node, i: number): HTMLElement {
    const take = (event: Event) => {
      event.preventDefault(); // the field keeps the focus
      this.choose(i);
      this.take();
    };
    return el(
        "li", {
          role: "option", id: `${this.input.id}-${i}`,
          "data-key": node.key || node.name, "aria-selected": "false",
          onmousedown: take
        }, nameOf(node), el("span", { class: "muted" }, visible(node.type)));
  }
}

export function nodeField(options: NodeFieldOptions): NodeField {
  const input = el("input", {
    id: options.id, name: options.id, value: options.value, type: "text",
    role: "combobox", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", "aria-autocomplete": "list",
    "aria-expanded": "false", "aria-controls": `${options.id}-list`,
    placeholder: options.hint
  });
  const suggestions = new Suggestions(
      input, options.taken ?? (() => undefined));
  input.addEventListener("input", () => suggestions.later());
  input.addEventListener("blur", () => suggestions.close());
  input.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const by = steps[event.key];
    if (by !== undefined && suggestions.move(by)) event.preventDefault();
    if (event.key === "Escape") suggestions.close();
    if (event.key === "Enter") {
      if (suggestions.take()) event.preventDefault();
      suggestions.close();
    }
  });
  const element = el(
      "div", { class: "field" }, el("label", { for: options.id }, options.label),
      el("div", { class: "combobox" }, input, suggestions.list));
  return { element, input };
}
