// The page of a server: it shows the view that the address names, and goes to
// another one when the reader follows a link. Each view is asked for with its
// own address, so the buttons of the browser and bookmarks work.

import { el } from "./elements";
import { addressOf, goTo, placeOf, VIEWS } from "./place";
import type { ViewName } from "./place";
import { askView } from "./views/ask";
import { findView } from "./views/find";
import { modelView } from "./views/model";
import type { View } from "./view";
import { whatIfView } from "./views/what_if";
import { whyView } from "./views/why";

const VIEW_OF: Record<ViewName, View> = {
  "find": findView, "ask": askView, "why": whyView, "what-if": whatIfView,
  "model": modelView
};
// Fields that a question keeps when the reader goes from view to view.
const KEPT = ["source", "relation", "target"];

let shown = new AbortController();

function showNavigation(current: ViewName, fields: URLSearchParams) {
  const kept = Object.fromEntries(
      KEPT.map((name) => [name, fields.get(name) ?? ""]));
  document.getElementById("views")?.replaceChildren(...VIEWS.map(
      (view) => el("a", {
        href: ["find", "model"].includes(view) ?
          addressOf(view) : addressOf(view, kept),
        "aria-current": view === current ? "page" : undefined
      }, VIEW_OF[view].title)));
}

function show(focus: boolean) {
  const main = document.getElementById("view");
  const place = placeOf(location.pathname, location.search);
  if (main === null || place === null) return;
  shown.abort();
  shown = new AbortController();
  const view = VIEW_OF[place.view];
  const heading = el("h1", { tabindex: "-1" }, view.title);
  const element = el("div");
  main.replaceChildren(heading, element);
  document.title = `${view.title} · slice`;
  showNavigation(place.view, place.fields);
  if (focus) {
    heading.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  void view.show({ element, fields: place.fields, signal: shown.signal });
}

// A link to a view is followed within the page, unless the reader wants it in
// another tab. A link to a part of the page moves the focus alone: another
// address would show the view anew.
function follow(event: MouseEvent) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey ||
      event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const href = link?.getAttribute("href") ?? "";
  if (href.startsWith("#")) {
    event.preventDefault();
    document.getElementById(href.slice(1))?.focus();
    return;
  }
  if (link === null || !href.startsWith("/") || href.startsWith("//")) return;
  const [path = "", query = ""] = href.split("?");
  if (placeOf(path, query) === null) return;
  event.preventDefault();
  goTo(href);
}

addEventListener("popstate", () => show(true));
document.addEventListener("click", follow);
show(false);
