import type { Question } from "../api";
import { listRelations } from "../api";
import type { Part } from "../elements";
import { el } from "../elements";
import type { RelationInfo } from "../messages";
import { goTo } from "../place";
import type { Room, View } from "../view";
import { field } from "../view";
import { nodeField } from "./node_field";
import { relationField } from "./relation_field";
import { showIn } from "./trouble";

export function questionOf(room: Room): Question {
  return {
    source: field(room, "source").trim(), relation: field(room, "relation"),
    target: field(room, "target").trim()
  };
}

// The form for a link, filled with `question`. `button` is the text of its
// button, `further` are fields between; `ask` gets what was entered.
export function questionForm(
    question: Question, relations: RelationInfo[], button: string,
    ask: (question: Question) => void, further: HTMLElement[] = [],
    hint = ""): HTMLElement {
  const source = nodeField(
      { id: "source", label: "Source", value: question.source, hint });
  const target = nodeField(
      { id: "target", label: "Target", value: question.target, hint });
  const relation = relationField("relation", relations, question.relation);
  const submit = (event: Event) => {
    event.preventDefault();
    ask({
      source: source.input.value.trim(), relation: relation.select.value,
      target: target.input.value.trim()
    });
  };
  return el(
      "form", { class: "question", onsubmit: submit, autocomplete: "off" },
      source.element, relation.element, target.element, further,
      el("button", { class: "main" }, button));
}

// Shows the form that `form` makes and, below it, what `answer` shows. Without
// the relations of the graph there is neither.
export async function showWithForm(
    room: Room, form: (relations: RelationInfo[]) => HTMLElement,
    answer: (below: HTMLElement) => Promise<void>): Promise<void> {
  const below = el("div");
  await showIn(room.element, "Reading the relations", room.signal, async () =>
    [form((await listRelations()).relations), below]);
  if (below.isConnected) await answer(below);
}

// A view of one link: its form and, once both ends are given, what `answer`
// makes of it. `address` is where the form leads to; `button` and `waiting` are
// texts.
export function linkView(options: {
  title: string, button: string, waiting: string,
  address: (room: Room, asked: Question) => string,
  answer: (room: Room, question: Question) => Promise<Part>
}): View {
  const show = async (room: Room) => {
    const question = questionOf(room);
    const form = (relations: RelationInfo[]) => questionForm(
        question, relations, options.button,
        (asked) => goTo(options.address(room, asked)));
    await showWithForm(room, form, async (below) => {
      if (question.source === "" || question.target === "") {
        below.append(el("p", { class: "muted" },
                        "Give a source, a relation and a target."));
        return;
      }
      await showIn(below, options.waiting, room.signal,
                   () => options.answer(room, question));
    });
  };
  return { title: options.title, show };
}
