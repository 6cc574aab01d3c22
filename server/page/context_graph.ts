// The context of an explanation as a graph to draw: which nodes and links the
// network read, where they stand between the ends, and how much attention the
// ends pay to them.
//
// A PATH token stands for many paths; the one that the server sends of it is
// drawn. The attention of a link is the sum over the tokens it belongs to.

import type { Explanation, ExplanationToken, Node } from "./messages";

export interface DrawnNode {
  node: Node;
  role: "source" | "target" | "between";
  column: number; // 0 at the source, 1 at the target
  attention: number;
}

export interface DrawnLink {
  source: number; // positions among the nodes, along the relation
  target: number;
  relation: string;
  attention: number;
  paths: number; // that tokens with this link stand for; 0 = no path token
}

export interface ContextGraph {
  nodes: DrawnNode[];
  links: DrawnLink[];
}

// What both ends pay to a token, on average.
export function attentionOf(token: ExplanationToken): number {
  return (token.attention_from_source + token.attention_from_target) / 2;
}

class Builder {
  readonly nodes: (DrawnNode & { columns: number[] })[] = [];
  readonly links: DrawnLink[] = [];
  private readonly places = new Map<string, number>();
  private readonly linkPlaces = new Map<string, DrawnLink>();

  place(node: Node, role: DrawnNode["role"], column?: number): number {
    let place = this.places.get(node.key);
    if (place === undefined) {
      place = this.nodes.push(
          { node, role, column: 0.5, columns: [], attention: 0 }) - 1;
      this.places.set(node.key, place);
    }
    if (column !== undefined) this.nodes[place]?.columns.push(column);
    return place;
  }

  pay(place: number, attention: number) {
    const node = this.nodes[place];
    if (node !== undefined) node.attention += attention;
  }

  link(source: number, target: number, relation: string, attention: number,
       paths: number) {
    const name = `${source} ${target} ${relation}`;
    let link = this.linkPlaces.get(name);
    if (link === undefined) {
      link = { source, target, relation, attention: 0, paths: 0 };
      this.linkPlaces.set(name, link);
      this.links.push(link);
    }
    link.attention += attention;
    link.paths += paths;
  }
}

// Adds the path of a PATH token.
function addPath(builder: Builder, token: ExplanationToken, source: number) {
  const attention = attentionOf(token);
  let before = source;
  token.path.forEach((step, i) => {
    const last = i === token.path.length - 1;
    const place = builder.place(
        step.node, "between", last ? undefined : (i + 1) / token.path.length);
    if (!last) builder.pay(place, attention);
    const [from, to] = step.direction === "DIRECTION_IN" ?
      [place, before] : [before, place];
    builder.link(from, to, step.relation, attention, Number(token.path_count));
    before = place;
  });
}

// Hops from `start` to each of `size` nodes; Infinity where no link leads.
function hops(size: number, links: DrawnLink[], start: number): number[] {
  const far = new Array<number>(size).fill(Infinity);
  far[start] = 0;
  const queue = [start];
  for (const place of queue) {
    for (const { source, target } of links) {
      const next = source === place ? target : target === place ? source : -1;
      if (next >= 0 && far[next] === Infinity) {
        far[next] = (far[place] ?? 0) + 1;
        queue.push(next);
      }
    }
  }
  return far;
}

export function contextGraph(
    source: Node, target: Node, explanation: Explanation): ContextGraph {
  const builder = new Builder();
  const start = builder.place(source, "source");
  const end = builder.place(target, "target");
  const { tokens } = explanation;
  const places = tokens.map((token) => token.node === undefined ?
    -1 : builder.place(token.node, "between"));
  tokens.forEach((token, i) => {
    builder.pay(places[i] ?? -1, attentionOf(token));
    if (token.kind === "TOKEN_KIND_PATH") addPath(builder, token, start);
  });
  for (const edge of explanation.edges) {
    const ends = [edge.source, edge.target] as const;
    const attention = ends.map((one) => {
      const token = tokens[one];
      return token === undefined ? 0 : attentionOf(token);
    });
    builder.link(places[edge.source] ?? start, places[edge.target] ?? end,
                 edge.relation, Math.min(...attention), 0);
  }
  const fromStart = hops(builder.nodes.length, builder.links, start);
  const fromEnd = hops(builder.nodes.length, builder.links, end);
  const nodes = builder.nodes.map(({ columns, ...node }, i) => {
    const a = fromStart[i] ?? Infinity;
    const b = fromEnd[i] ?? Infinity;
    const mean = columns.reduce((sum, one) => sum + one, 0) / columns.length;
    const column = i === start ? 0 : i === end ? 1 :
      columns.length > 0 ? mean : a + b < Infinity ? a / (a + b) : 0.5;
    return { ...node, column };
  });
  return { nodes, links: builder.links };
}
