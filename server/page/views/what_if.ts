// What if: the answer to a link beside the answer as if links were struck or
// added. Nothing is stored.

import type { ExplainedLink, Question } from "../api";
import { CallError, explainLink, listRelations } from "../api";
import { nameChanges } from "../change_errors";
import { explainCommands } from "../commands";
import { contextGraph } from "../context_graph";
import type { Part } from "../elements";
import { el } from "../elements";
import { linkOf, linkText } from "../link_text";
import type { GraphChange, LinkRef, RelationInfo } from "../messages";
import { answerTiles, linkTitle } from "../parts/answer";
import { copyAs, serverAddresses } from "../parts/copy_as";
import { nodeField } from "../parts/node_field";
import { linkView } from "../parts/question_form";
import { relationField } from "../parts/relation_field";
import { troubleCard } from "../parts/trouble";
import { addressOf, goTo } from "../place";
import { counted, percent, signed, visible } from "../text";
import type { Room } from "../view";

const EVIDENCE_SHOWN = 8;
const PRACTICALLY_NONE = 0.05; // a change of the logit

function linksOf(room: Room, name: string): LinkRef[] {
  return room.fields.getAll(name).flatMap((text) => linkOf(text) ?? []);
}

// The parts of the address that are no links.
function mistyped(room: Room): string[] {
  return ["add", "remove"].flatMap((name) => room.fields.getAll(name).filter(
      (text) => linkOf(text) === null).map((text) => `${name}=${text}`));
}

function changesOf(room: Room): GraphChange[] {
  return [
    ...linksOf(room, "add").map((link) => ({ add_link: link })),
    ...linksOf(room, "remove").map((link) => ({ remove_link: link }))
  ];
}

function addressWith(question: Question, changes: GraphChange[]): string {
  return addressOf("what-if", {
    ...question,
    add: changes.flatMap(
        (one) => "add_link" in one ? [linkText(one.add_link)] : []),
    remove: changes.flatMap(
        (one) => "remove_link" in one ? [linkText(one.remove_link)] : [])
  });
}

function linkWords(link: LinkRef): HTMLElement {
  return el("span", {}, el("bdi", {}, visible(link.source.name)),
            ` −${visible(link.relation)}→ `,
            el("bdi", {}, visible(link.target.name)));
}

function changeList(
    question: Question, changes: GraphChange[],
    withoutEffect: number[]): HTMLElement {
  const items = changes.map((change, i) => {
    const added = "add_link" in change;
    return el(
        "li", {}, added ? "with " : "without ",
        linkWords(added ? change.add_link : change.remove_link), " ",
        withoutEffect.includes(i) && el(
            "span", { class: "muted" }, added ? "(the graph has it already) " :
              "(the graph does not have it) "),
        el(
            "a", {
              href: addressWith(question, changes.filter((_, j) => j !== i))
            }, "take back"));
  });
  return el("ol", { class: "card changes" }, items);
}

function answerCard(title: string, explained: ExplainedLink): HTMLElement {
  const { result } = explained;
  const evidence = result.explanation?.evidence ?? [];
  return el(
      "section", { class: "card" }, el("h2", {}, title), answerTiles(result),
      el("p", {}, visible(result.explanation?.summary ?? ""), "."),
      el("ul", { class: "evidence" }, evidence.slice(0, EVIDENCE_SHOWN).map(
          (one) => el("li", {}, el("b", {}, signed(one.logit_effect)), " ",
                      visible(one.description)))));
}

function difference(before: ExplainedLink, after: ExplainedLink): HTMLElement {
  const [a, b] = [before.result, after.result];
  const change = b.logit - a.logit;
  const sampled = [a, b].some(({ explanation }) => explanation?.truncated);
  return el(
      "p", { class: "summary", role: "status" },
      Math.abs(change) < PRACTICALLY_NONE &&
        "This changes practically nothing. ",
      `The logit changes by ${signed(change)}: the probability goes ` +
      `from ${percent(a.probability)} to ${percent(b.probability)}, among its ` +
      `kind from ${percent(a.probability_among_kind)} to ` +
      `${percent(b.probability_among_kind)}.`,
      sampled && el(
          "span", { class: "muted" }, " Some nodes have so many links that only " +
          "a sample of them is searched, so counts of paths are estimates, and " +
          "the examples may differ."));
}

// The links of the context, each with a button that strikes it.
function contextLinks(
    question: Question, changes: GraphChange[],
    { result }: ExplainedLink): HTMLElement | false {
  if (result.explanation === undefined) return false;
  const { nodes, links } = contextGraph(
      result.source, result.target, result.explanation);
  const key = (i: number) => nodes[i]?.node.key ?? "";
  const struck = changes.flatMap(
      (one) => "remove_link" in one ? [linkText(one.remove_link)] : []);
  const rows = [...links].sort((a, b) => b.paths - a.paths).map(
      ({ source, relation, target, paths }) => ({
        paths, link: {
          source: { name: key(source) }, relation,
          target: { name: key(target) }
        }
      })).filter(({ link }) => !struck.includes(linkText(link)));
  return rows.length > 0 && el(
      "details", { class: "card", open: changes.length === 0 },
      el("summary", {}, "Links of the context that can be struck"),
      el("ul", { class: "strikes" }, rows.map(({ link, paths }) => el(
          "li", {}, linkWords(link), " ",
          paths > 0 && el("span", { class: "muted" },
                          `(with others like it on ${
                            counted(paths, "path")} between the ends) `),
          el("a", {
            href: addressWith(question, [...changes, { remove_link: link }])
          }, "strike", el("span", { class: "hidden" },
                          ` ${linkText(link)}`))))));
}

function changeForm(
    question: Question, changes: GraphChange[],
    relations: RelationInfo[]): HTMLElement {
  const source = nodeField({ id: "from", label: "From", value: "" });
  const target = nodeField({ id: "to", label: "To", value: "" });
  const { element, select } = relationField("by", relations, "");
  const change = (event: Event) => {
    event.preventDefault();
    const link = {
      source: { name: source.input.value.trim() }, relation: select.value,
      target: { name: target.input.value.trim() }
    };
    if (link.source.name === "" || link.target.name === "") return;
    const strikes = (event as SubmitEvent).submitter?.id === "strike";
    goTo(addressWith(question, [
      ...changes, strikes ? { remove_link: link } : { add_link: link }
    ]));
  };
  return el(
      "details", { class: "card" }, el("summary", {}, "Strike or add another link"),
      el(
          "form", { class: "question", onsubmit: change }, source.element,
          element, target.element,
          el("button", { id: "add" }, "Add it"),
          el("button", { id: "strike" }, "Strike it")));
}

async function comparison(
    room: Room, question: Question): Promise<Part[]> {
  const changes = changesOf(room);
  const [before, after, { relations }] = await Promise.all([
    explainLink(question, undefined, room.signal),
    changes.length === 0 ? undefined :
      explainLink(question, { changes }, room.signal),
    listRelations()
  ]);
  const wrong = mistyped(room);
  return [
    linkTitle(before.result),
    wrong.length > 0 && el(
        "p", { class: "notes" }, "Left out, because a link in the address is " +
        `["source","relation","target"]: ${visible(wrong.join(", "))}`),
    after === undefined ?
      el("p", { class: "muted" },
         "Strike a link or add one, and both answers stand side by side. " +
         "Nothing is stored.") :
      [difference(before, after),
       changeList(question, changes, after.response.what_if?.without_effect ??
                  [])],
    changes.length === 0 && contextLinks(question, changes, before),
    el(
        "div", { class: "sides" }, answerCard("As the graph is", before),
        after !== undefined && answerCard("As if it were changed", after)),
    changes.length > 0 && contextLinks(question, changes, before),
    changeForm(question, changes, relations),
    copyAs(explainCommands(serverAddresses(), question, changes))
  ];
}

// An error may be one of a change, so the changes are shown beside it.
async function comparisonOrTrouble(
    room: Room, question: Question): Promise<Part[]> {
  try {
    return await comparison(room, question);
  } catch (error) {
    const changes = changesOf(room);
    if (!(error instanceof CallError) || changes.length === 0) throw error;
    return [
      changeList(question, changes, []),
      troubleCard(new CallError(error.trouble, nameChanges(error.message)))
    ];
  }
}

export const whatIfView = linkView({
  title: "What if", button: "Ask", waiting: "Asking twice",
  address: (room, asked) => addressWith(asked, changesOf(room)),
  answer: comparisonOrTrouble
});
