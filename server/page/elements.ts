// Makes elements. Text becomes text nodes and nothing is parsed as markup, so
// that a name such as "<script>" is only a name.

type Child = Node | string | number | null | undefined | false | Child[];
// A part of a view that may be left out.
export type Part = HTMLElement | false | undefined | Part[];
type Listener = (event: Event) => void;
type Attributes = Record<
  string, string | number | boolean | undefined | Listener>;

function fill(element: Element, attributes: Attributes, children: Child[]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice("on".length), value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
}

// Appends children. What is null, undefined or false is left out, so that a
// child can depend on a condition.
export function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

// An HTML element. An attribute "onclick" is a listener of "click".
export function el<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag, attributes: Attributes = {},
    ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

// An element within SVG.
export function svg<Tag extends keyof SVGElementTagNameMap>(
    tag: Tag, attributes: Attributes = {},
    ...children: Child[]): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}
