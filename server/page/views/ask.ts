// Ask: how likely a link is; or, with one end left open, which nodes fit best
// there.

import type { Question } from "../api";
import { explainLink, recommendLinks } from "../api";
import { explainCommands, recommendCommands } from "../commands";
import type { Part } from "../elements";
import { el } from "../elements";
import type { Node, Recommendation, RelationInfo } from "../messages";
import {
  answerTiles, flagNotes, linkTitle, noteList, ORDER_NOTE
} from "../parts/answer";
import { copyAs, serverAddresses } from "../parts/copy_as";
import type { Column } from "../parts/data_table";
import { dataTable } from "../parts/data_table";
import { nodeLink, pathText } from "../parts/names";
import {
  questionForm, questionOf, showWithForm
} from "../parts/question_form";
import { showIn } from "../parts/trouble";
import { addressOf, goTo, linkAddress } from "../place";
import { rankedNotes } from "../ranked_notes";
import { counted, percent, visible } from "../text";
import type { Room, View } from "../view";
import { field } from "../view";

const DEFAULT_K = 10;

async function answerLink(
    question: Question, signal: AbortSignal): Promise<Part[]> {
  const { result } = await explainLink(question, undefined, signal);
  const { source, relation, target } = result;
  return [
    linkTitle(result), answerTiles(result),
    el("p", {}, visible(result.explanation?.summary ?? "")),
    flagNotes(result.flags),
    el(
        "p", { class: "row" },
        el("a", { href: linkAddress("why", source, relation, target) },
           "Why this answer"),
        el("a", { href: linkAddress("what-if", source, relation, target) },
           "What would change it")),
    copyAs(explainCommands(serverAddresses(), question, []))
  ];
}

function pathWords(one: Recommendation): string {
  return one.metapath.map(({ relation, direction, node }) => relation === "" ?
    node.name : direction === "DIRECTION_IN" ?
      `<-${relation}- ${node.name}` : `-${relation}-> ${node.name}`).join(" ");
}

function columns(
    address: (node: Node) => string): Column<Recommendation>[] {
  return [
    { title: "rank", value: ({ rank }) => rank },
    {
      title: "node", text: true, value: ({ node }) => node.name,
      cell: ({ node }) => nodeLink(node)
    },
    {
      title: "reasons", saved: "key", text: true, value: ({ node }) => node.key,
      cell: ({ node }) => el(
          "a", { href: address(node) }, "why",
          el("span", { class: "hidden" }, ` ${visible(node.name)}`))
    },
    {
      title: "among its kind", value: (one) => one.probability_among_kind,
      cell: (one) => percent(one.probability_among_kind)
    },
    {
      title: "among all pairs", value: (one) => one.probability,
      cell: (one) => percent(one.probability)
    },
    {
      title: "path", text: true, value: pathWords,
      cell: ({ metapath: [first, ...steps] }) => first === undefined ?
        "none" : pathText(first.node, steps)
    },
    {
      title: "type", text: true, value: ({ node }) => node.type,
      cell: ({ node }) => visible(node.type)
    }
  ];
}

async function answerOpen(
    question: Question, k: number, type: string, includeExisting: boolean,
    signal: AbortSignal): Promise<Part[]> {
  const answers = await recommendLinks(
      question, { k, type, includeExisting }, signal);
  const rows = answers.flatMap(
      ({ recommendation }) => recommendation ?? []);
  const address = (node: Node) => addressOf("why", {
    source: question.source || node.key, relation: question.relation,
    target: question.target || node.key
  });
  const best = answers[0];
  const searched = counted(best?.candidate_count ?? 0, "candidate");
  const end = question.source === "" ? "sources" : "targets";
  return [
    rows.length > 0 && el(
        "p", { class: "muted small" }, ORDER_NOTE,
        best?.best_so_far === true &&
          " Time ran out, so only some of the best were ranked again."),
    rows.length === 0 ? el("p", { role: "status" }, "No node fits there.") :
      dataTable(`The best ${rows.length} ${end} of ${searched}`,
                "recommendations.csv", columns(address), rows),
    noteList(rankedNotes(rows)),
    copyAs(recommendCommands(
        serverAddresses(), question, { k, type, includeExisting }))
  ];
}

function furtherFields(room: Room): {
  elements: HTMLElement[], k: HTMLInputElement, type: HTMLInputElement,
  existing: HTMLInputElement
} {
  const k = el("input", {
    id: "k", type: "number", min: 1, max: 1000,
    value: field(room, "k") || String(DEFAULT_K)
  });
  const type = el("input", {
    id: "type", type: "text", value: field(room, "type"),
    placeholder: "any type"
  });
  const existing = el("input", {
    id: "existing", type: "checkbox", checked: field(room, "existing") !== ""
  });
  const chosen = ["k", "type", "existing"].some(
      (name) => field(room, name) !== "");
  const labelled = (name: string, input: HTMLInputElement) => el(
      "div", { class: "field short" }, el("label", { for: input.id }, name),
      input);
  return {
    elements: [el(
        "details", { class: "further", open: chosen },
        el("summary", {}, "How many, which"),
        el("div", { class: "row" }, labelled("How many", k),
           labelled("Only of type", type),
           labelled("Also existing links", existing)))],
    k, type, existing
  };
}

function hintCard(): HTMLElement {
  return el(
      "p", { class: "muted" },
      "Give both ends to score a link. Leave one end empty to get the nodes " +
      "that fit best there.");
}

export const askView: View = {
  title: "Ask",
  async show(room) {
    const question = questionOf(room);
    const form = (relations: RelationInfo[]) => {
      const further = furtherFields(room);
      const ask = (asked: Question) => goTo(addressOf("ask", {
        ...asked, type: further.type.value.trim(),
        k: further.k.value === String(DEFAULT_K) ? "" : further.k.value,
        existing: further.existing.checked ? "yes" : ""
      }));
      return questionForm(question, relations, "Ask", ask, further.elements,
                          "or leave empty");
    };
    await showWithForm(room, form, async (below) => {
      if (question.source === "" && question.target === "") {
        below.append(hintCard());
        return;
      }
      await showIn(below, "Asking", room.signal, () =>
        question.source !== "" && question.target !== "" ?
          answerLink(question, room.signal) :
          answerOpen(question, Number(field(room, "k") || DEFAULT_K),
                     field(room, "type"), field(room, "existing") !== "",
                     room.signal));
    });
  }
};
