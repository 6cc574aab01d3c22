// A text field for a node, with suggestions: a combobox as ARIA describes it.
// Arrows choose, Enter takes, Escape closes.

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
}

class Suggestions {
  readonly list: HTMLElement;
  private chosen = -1;
  private timer = 0;
  private pending = new AbortController();

  constructor(private readonly input: HTMLInputElement) {
    this.list = el("ul", {
      class: "suggestions", role: "listbox", id: `${input.id}-list`,
      "aria-label": "Suggestions", hidden: true
    });
  }

  // Asks for suggestions once the reader pauses.
  later() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.fetch(), PAUSE_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.pending.abort();
    this.list.hidden = true;
    this.chosen = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  // Moves the choice; returns whether there is a list to move in.
  move(by: number): boolean {
    const options = [...this.list.children];
    if (this.list.hidden || options.length === 0) return false;
    this.chosen = (this.chosen + by + options.length) % options.length;
    options.forEach((option, i) => option.setAttribute(
        "aria-selected", String(i === this.chosen)));
    const option = options[this.chosen];
    if (option === undefined) return false;
    this.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
    return true;
  }

  // Takes the chosen suggestion; returns whether there was one.
  take(): boolean {
    const option = this.list.children[this.chosen];
    if (this.list.hidden || !(option instanceof HTMLElement)) return false;
    this.input.value = option.dataset["key"] ?? "";
    this.close();
    return true;
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
        (name) => ({ key: name, name, type: "similar" }));
    const options = [...nodes, ...near];
    this.list.replaceChildren(...options.map((node, i) => this.option(node, i)));
    this.chosen = -1;
    this.list.hidden = options.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
  }

  private option(node: Node, i: number): HTMLElement {
    const take = (event: Event) => {
      event.preventDefault(); // the field keeps the focus
      this.chosen = i;
      this.take();
      this.input.form?.requestSubmit();
    };
    return el(
        "li", {
          role: "option", id: `${this.input.id}-${i}`, "data-key": node.key,
          "aria-selected": "false", onmousedown: take
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
  const suggestions = new Suggestions(input);
  input.addEventListener("input", () => suggestions.later());
  input.addEventListener("blur", () => suggestions.close());
  input.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const by = steps[event.key];
    if (by !== undefined && suggestions.move(by)) event.preventDefault();
    if (event.key === "Escape") suggestions.close();
    if (event.key === "Enter") {
      suggestions.take();
      suggestions.close();
    }
  });
  const element = el(
      "div", { class: "field" }, el("label", { for: options.id }, options.label),
      el("div", { class: "combobox" }, input, suggestions.list));
  return { element, input };
}
