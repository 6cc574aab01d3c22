// What a view shows while it waits, and when a call failed.

import type { Trouble } from "../api";
import { CallError, setToken } from "../api";
import type { Part } from "../elements";
import { append, el } from "../elements";
import { goTo } from "../place";
import { visible } from "../text";

const TITLES: Record<Trouble, string> = {
  gone: "The server does not answer",
  late: "The answer took too long",
  unknown: "There is no such name",
  identity: "The server wants to know who asks",
  role: "You may not ask this",
  busy: "The server is busy",
  request: "The question has a mistake",
  server: "Something failed"
};

function waiting(what: string): HTMLElement {
  return el("p", { class: "waiting", role: "status" }, `${what} …`);
}

// The present place with another name in place of the one that is unknown, for
// each name that the message suggests.
function suggestions(message: string): HTMLElement[] {
  const [said = "", suggested = ""] = message.split("did you mean");
  const quoted = (text: string) =>
    [...text.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, name = ""]) => name);
  const [wrong] = quoted(said);
  const fields = [...new URLSearchParams(location.search)];
  if (!fields.some(([, value]) => value === wrong)) return [];
  return quoted(suggested).map((name) => {
    const query = new URLSearchParams(fields.map(
        ([field, value]) => [field, value === wrong ? name : value]));
    return el("a", { href: `${location.pathname}?${query}` },
              el("bdi", {}, visible(name)));
  });
}

function tokenForm(): HTMLElement {
  const input = el("input", {
    type: "password", id: "token", autocomplete: "off", required: true
  });
  const save = (event: Event) => {
    event.preventDefault();
    setToken(input.value.trim());
    goTo(location.pathname + location.search);
  };
  return el(
      "form", { class: "row", onsubmit: save },
      el("label", { for: "token" }, "Token"), input,
      el("button", {}, "Use it in this tab"));
}

// Says what failed and what can be done about it.
export function troubleCard(error: CallError): HTMLElement {
  const retry = () => goTo(location.pathname + location.search);
  return el(
      "section", { class: "card trouble", role: "alert" },
      el("h2", {}, TITLES[error.trouble]),
      el("p", {}, visible(error.message)),
      el("p", { class: "row" }, suggestions(error.message)),
      error.trouble === "identity" ? tokenForm() :
        ["gone", "late", "busy", "server"].includes(error.trouble) &&
        el("button", { onclick: retry }, "Try again"));
}

// Shows what `work` makes in `room`: first that it is waited for, then its
// result or what failed. Nothing is shown once `signal` is aborted.
export async function showIn(
    room: HTMLElement, what: string, signal: AbortSignal,
    work: () => Promise<Part>): Promise<void> {
  room.replaceChildren(waiting(what));
  room.setAttribute("aria-busy", "true");
  try {
    const made = await work();
    if (signal.aborted) return;
    room.replaceChildren();
    append(room, [made]);
  } catch (error) {
    if (signal.aborted) return;
    const shown = error instanceof CallError ?
      error : new CallError("server", String(error));
    room.replaceChildren(troubleCard(shown));
  } finally {
    if (!signal.aborted) room.removeAttribute("aria-busy");
  }
}
