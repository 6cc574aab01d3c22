import { el } from "../elements";
import type { RelationInfo } from "../messages";
import { visible } from "../text";

// A choice among the relations of the graph. `none`, if given, is the text of
// a first option without a relation.
export function relationField(
    id: string, relations: RelationInfo[], value: string,
    none?: string): { element: HTMLElement, select: HTMLSelectElement } {
  const select = el(
      "select", { id, name: id },
      none !== undefined && el("option", { value: "" }, none),
      relations.map(({ name }) => el(
          "option", { value: name, selected: name === value }, visible(name))),
      // An unknown relation stays as it was asked; the server says what is
      // wrong with it.
      value !== "" && !relations.some(({ name }) => name === value) &&
        el("option", { value, selected: true }, visible(value)));
  const element = el(
      "div", { class: "field" }, el("label", { for: id }, "Relation"), select);
  return { element, select };
}
