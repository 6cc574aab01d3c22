// A place is a view with what it shows; its address says all of it, so that
// every place can be linked to.

import type { Node } from "./messages";

export const VIEWS = ["find", "ask", "why", "what-if", "model"] as const;
export type ViewName = typeof VIEWS[number];

export interface Place {
  view: ViewName;
  fields: URLSearchParams;
}

// The place of an address; null for an address of no view.
export function placeOf(path: string, query: string): Place | null {
  const name = path === "/" ? "find" : path.slice(1);
  const view = VIEWS.find((one) => one === name);
  return view === undefined ?
      null :
      { view, fields: new URLSearchParams(query) };
}

type Fields = Record<string, string | string[] | undefined>;

// The address of a place. Fields that are empty are left out. The model that
// the reader chose goes along.
export function addressOf(view: ViewName, fields: Fields = {}): string {
  const query = new URLSearchParams();
  const model = new URLSearchParams(location.search).get("model");
  for (const [name, value] of Object.entries({ ...fields, model })) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") {
        query.append(name, one);
      }
    }
  }
  const text = query.toString();
  return `/${view}${text === "" ? "" : `?${text}`}`;
}

// The address of a link in the view `view`.
export function linkAddress(
    view: ViewName, source: Node, relation: string, target: Node): string {
  return addressOf(
      view, { source: source.key, relation, target: target.key });
}

// Goes to another place. Views listen to "popstate".
export function goTo(address: string): void {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

// The model that the reader chose; empty = the default model.
export function chosenModel(): string {
  return new URLSearchParams(location.search).get("model") ?? "";
}
