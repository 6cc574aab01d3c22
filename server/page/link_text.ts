// A link in the address of a view: a JSON list of source, relation and target.

import type { LinkRef } from "./messages";

export function linkText({ source, relation, target }: LinkRef): string {
  return JSON.stringify([source.name, relation, target.name]);
}

// Null for another text: an address may be mistyped.
export function linkOf(text: string): LinkRef | null {
  try {
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts) || parts.length !== 3) return null;
    const [source, relation, target] = parts.map(String);
    return {
      source: { name: source ?? "" }, relation: relation ?? "",
      target: { name: target ?? "" }
    };
  } catch {
    return null;
  }
}

// The field of an address with another name in place of `wrong`, whether the
// field is that name or a link that has it. A relation may be called like a node,
// so it is changed only where neither end is `wrong`.
export function renamed(field: string, wrong: string, name: string): string {
  if (field === wrong) return name;
  const link = linkOf(field);
  if (link === null) return field;
  const other = (text: string) => text === wrong ? name : text;
  const ofEnd = [link.source.name, link.target.name].includes(wrong);
  const text = linkText({
    source: { name: other(link.source.name) },
    relation: ofEnd ? link.relation : other(link.relation),
    target: { name: other(link.target.name) }
  });
  return text === linkText(link) ? field : text;
}
