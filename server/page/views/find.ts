// Find: nodes by their names; of one node its neighbours, and what is
// recommended to it by each relation.

import {
  CallError, findNodes, getNeighbors, listRelations, recommendLinks
} from "../api";
import type { Part } from "../elements";
import { el } from "../elements";
import type {
  FindNodesResponse, GetNeighborsResponse, Neighbor, Node, RelationInfo
} from "../messages";
import { ORDER_NOTE } from "../parts/answer";
import { arrowOf, nameOf, nodeLink } from "../parts/names";
import { nodeField } from "../parts/node_field";
import { relationField } from "../parts/relation_field";
import { showIn } from "../parts/trouble";
import { addressOf, goTo, linkAddress } from "../place";
import { count, counted, percent, visible } from "../text";
import type { Room, View } from "../view";
import { field } from "../view";

const MATCHES = 50;
const RECOMMENDED = 5;

// What a reader who comes for the first time can do here.
function welcome(): HTMLElement {
  return el(
      "p", {}, "This server predicts links of a graph, and says why. Find a " +
      "node here; ", el("a", { href: addressOf("ask") }, "ask"),
      " which node a link should lead to, or how likely one link is; see why; " +
      "and see what would change the answer.");
}

function searchForm(name: string): HTMLElement {
  const { element, input } = nodeField({
    id: "name", label: "Name or key of a node", value: name,
    hint: "begin to type",
    taken: ({ key, name: similar }) => goTo(addressOf(
        "find", key === "" ? { name: similar } : { node: key }))
  });
  const find = (event: Event) => {
    event.preventDefault();
    goTo(addressOf("find", { name: input.value }));
  };
  return el(
      "form", { class: "question", role: "search", onsubmit: find }, element,
      el("button", { class: "main" }, "Find"));
}

function matchList(nodes: Node[]): HTMLElement {
  return el("ul", { class: "matches card" }, nodes.map((node) => el(
      "li", {}, nodeLink(node), " ",
      el("span", { class: "muted" }, visible(node.type)))));
}

// A similar name may be that of several nodes, so it is a search of its own.
function similarList(names: string[]): HTMLElement {
  return el("ul", { class: "matches card" }, names.map((name) => el(
      "li", {}, el(
          "a", { class: "node", href: addressOf("find", { name }) },
          el("bdi", { class: "name" }, visible(name))))));
}

// `exact`: whether the node that `name` names is shown above.
function matches(
    name: string, found: FindNodesResponse, exact: boolean): Part[] {
  const { nodes, near_misses: similar, next_page_token: next } = found;
  return [
    nodes.length === 0 ?
      !exact && el("p", { role: "status" },
                   `No name begins with “${visible(name)}”.`) :
      [el("h2", {}, name === "" ? "Nodes" :
        `Names that begin with “${visible(name)}”`), matchList(nodes)],
    next !== "" && el("p", {}, el(
        "a", { href: addressOf("find", { name, page: next }) }, "Next names")),
    similar.length > 0 && [
      el("h2", {}, "Similar names"),
      similarList(similar)
    ]
  ];
}

function neighbourRows(neighbors: Neighbor[]): HTMLElement[] {
  const groups = new Map<string, Neighbor[]>();
  for (const one of neighbors) {
    const name = `${one.direction} ${one.relation}`;
    groups.set(name, [...groups.get(name) ?? [], one]);
  }
  return [...groups.values()].map((group) => el(
      "section", { class: "group" },
      group[0] !== undefined && el("h3", {}, arrowOf(group[0])),
      el("ul", { class: "chips" }, group.map(
          ({ node }) => el("li", {}, nodeLink(node))))));
}

// The filter of the neighbours of the node with the key `node`.
function neighbourFilter(
    room: Room, node: string, relations: RelationInfo[]): HTMLElement {
  const { element, select } = relationField(
      "by", relations, field(room, "by"), "all relations");
  const direction = el(
      "select", { id: "direction" },
      [["", "both directions"], ["DIRECTION_OUT", "from the node"],
       ["DIRECTION_IN", "to the node"]].map(([value, text]) => el(
          "option", { value, selected: value === field(room, "direction") },
          text)));
  const act = (event: Event) => {
    event.preventDefault();
    goTo(addressOf("find", {
      node, by: select.value, direction: direction.value
    }));
  };
  return el(
      "form", { class: "question", onsubmit: act }, element,
      el(
          "div", { class: "field" },
          el("label", { for: "direction" }, "Direction"), direction),
      el("button", {}, "Show"));
}

function pageLinks(
    room: Room, node: string, answer: GetNeighborsResponse): HTMLElement {
  const first = Number(field(room, "first") || "1");
  const last = first + answer.neighbors.length - 1;
  const fields = {
    node, by: field(room, "by"), direction: field(room, "direction")
  };
  return el(
      "p", { class: "pages" },
      answer.neighbors.length === 0 ? "No links." :
        `${count(first)} to ${count(last)} of ${
          counted(answer.total, "link")}`,
      first > 1 && el(
          "a", { href: addressOf("find", fields) }, "First page"),
      answer.next_page_token !== "" && el("a", {
        href: addressOf("find", {
          ...fields, page: answer.next_page_token, first: String(last + 1)
        })
      }, "Next page"));
}

async function recommended(
    node: Node, relation: string, outward: boolean,
    signal: AbortSignal): Promise<HTMLElement> {
  const answers = await recommendLinks({
    source: outward ? node.key : "", relation, target: outward ? "" : node.key
  }, { k: RECOMMENDED }, signal);
  const items = answers.flatMap(({ recommendation: one }) =>
    one === undefined ? [] : [el(
        "li", {}, nodeLink(one.node), " ", percent(one.probability_among_kind),
        " ", el("a", {
          href: outward ? linkAddress("why", node, relation, one.node) :
            linkAddress("why", one.node, relation, node)
        }, "why", el("span", { class: "hidden" }, " ",
                     visible(one.node.name))))]);
  return items.length === 0 ? el("p", {}, "No node could be recommended.") :
    el("div", {}, el("ol", {}, items), el("p", { class: "muted small" },
       ORDER_NOTE));
}

// A section for each relation and direction that fits the type of the node. It
// asks when it is opened.
function recommendations(
    node: Node, relations: RelationInfo[], signal: AbortSignal): HTMLElement[] {
  const fitting = relations.flatMap(({ name, source_types, target_types }) => [
    ...source_types.includes(node.type) ? [{ name, outward: true }] : [],
    ...target_types.includes(node.type) ? [{ name, outward: false }] : []
  ]);
  return fitting.map(({ name, outward }) => {
    const room = el("div");
    const open = () => {
      if (room.childElementCount > 0) return;
      void showIn(room, "Ranking", signal,
                  () => recommended(node, name, outward, signal));
    };
    return el(
        "details", { class: "card", ontoggle: open },
        el("summary", {}, arrowOf({
          node, relation: name,
          direction: outward ? "DIRECTION_OUT" : "DIRECTION_IN"
        })), room);
  });
}

// Of a node and a page of its links, by the filter of the address.
async function nodeParts(
    room: Room, asked: string, page: string): Promise<Part[]> {
  const filter = {
    relation: field(room, "by"), direction: field(room, "direction")
  };
  const filtered = filter.relation !== "" || filter.direction !== "";
  const [answer, { relations }] = await Promise.all([
    getNeighbors(asked, filter, page, room.signal), listRelations()
  ]);
  const { node } = answer;
  return [
    el("h2", {}, nameOf(node)),
    el(
        "dl", { class: "facts" },
        el("div", {}, el("dt", {}, "type"), el("dd", {}, visible(node.type))),
        node.key !== node.name && el(
            "div", {}, el("dt", {}, "key"), el("dd", {}, visible(node.key))),
        // The total of an answer is of those that the filter lets through.
        !filtered && el("div", {}, el("dt", {}, "links"),
                        el("dd", {}, count(answer.total)))),
    el("h2", {}, "Links that it may lack"),
    el("p", { class: "muted" }, "Open a relation to rank all nodes for it. " +
       "→ leads from this node, ← to it."),
    el("div", { class: "recommendations" },
       recommendations(node, relations, room.signal)),
    el("h2", {}, "Neighbours"), neighbourFilter(room, asked, relations),
    el("div", { class: "card" }, neighbourRows(answer.neighbors),
       pageLinks(room, asked, answer))
  ];
}

// The node that `name` alone names, by key or name; nothing where it names none
// or several.
async function exactParts(room: Room, name: string): Promise<Part> {
  try {
    return await nodeParts(room, name, "");
  } catch (error) {
    if (error instanceof CallError &&
        ["unknown", "request"].includes(error.trouble)) {
      return undefined;
    }
    throw error;
  }
}

async function results(room: Room): Promise<Part[]> {
  const [node, name] = [field(room, "node"), field(room, "name")];
  const page = field(room, "page");
  if (node !== "") return nodeParts(room, node, page);
  const [exact, found] = await Promise.all([
    name === "" || page !== "" ? undefined : exactParts(room, name),
    findNodes(name, MATCHES, page, room.signal)
  ]);
  return [exact, matches(name, found, exact !== undefined)];
}

export const findView: View = {
  title: "Find",
  async show(room) {
    const below = el("div");
    const asked = field(room, "name") || field(room, "node");
    if (asked === "") room.element.append(welcome());
    room.element.append(searchForm(asked), below);
    await showIn(below, "Looking", room.signal, () => results(room));
  }
};
