// What a view shows while it waits, and when a call failed.

import type { Trouble } from "../api";
import { CallError } from "../api";
import type { Part } from "../elements";
import { append, el } from "../elements";
import { renamed } from "../link_text";
import { goTo } from "../place";
import { suggestedNames } from "../suggested_names";
import { visible } from "../text";
import { isToken, keepToken } from "../token";

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
  const { wrong, names } = suggestedNames(message);
  const fields = [...new URLSearchParams(location.search)];
  if (!fields.some(([, value]) => value !== renamed(value, wrong, ""))) return [];
  return names.map((name) => {
    const query = new URLSearchParams(fields.map(
        ([field, value]) => [field, renamed(value, wrong, name)]));
    return el("a", { href: `${location.pathname}?${query}` },
              el("bdi", {}, visible(name)));
  });
}

function askAgain() {
  goTo(location.pathname + location.search);
}

let tokenForms = 0;

// A view may show several of these, each in the part that needs it.
function tokenForm(): HTMLElement {
  tokenForms += 1;
  const id = document.getElementById("token") === null ?
    "token" : `token-${tokenForms}`;
  const mistake = el("span", { role: "alert", id: `${id}-mistake` });
  const input = el("input", {
    type: "password", id, autocomplete: "off", required: true,
    "aria-describedby": mistake.id
  });
  const save = (event: Event) => {
    event.preventDefault();
    const token = input.value.trim();
    if (isToken(token)) {
      keepToken(token);
      askAgain();
      return;
    }
    input.setAttribute("aria-invalid", "true");
    mistake.textContent =
      "A token has only letters, digits and signs of ASCII, and no blanks.";
  };
  return el(
      "form", { class: "row", onsubmit: save },
      el("label", { for: id }, "Token"), input,
      el("button", {}, "Use it in this tab"), mistake);
}

// Says what failed and what can be done about it.
export function troubleCard(error: CallError): HTMLElement {
  return el(
      "section", { class: "card trouble", role: "alert" },
      el("h2", {}, TITLES[error.trouble]),
      el("p", {}, visible(error.message)),
      el("p", { class: "row" }, suggestions(error.message)),
      // Another token may have the role that this one lacks.
      ["identity", "role"].includes(error.trouble) ? tokenForm() :
        ["gone", "late", "busy", "server"].includes(error.trouble) &&
        el("button", { onclick: askAgain }, "Try again"));
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
