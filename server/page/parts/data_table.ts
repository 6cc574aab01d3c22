// A table that sorts by its columns and can be saved as CSV.

import { el } from "../elements";

export interface Column<Row> {
  title: string;
  saved?: string; // the title in the file, if another
  // What the cell shows, if that is not its value.
  cell?: (row: Row) => Node | string;
  // What the column sorts by, and what is saved.
  value: (row: Row) => string | number;
  text?: boolean; // aligned as text
}

// `text` as a field of CSV (RFC 4180). A leading character that makes
// spreadsheets compute is kept from doing so.
export function csvField(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvText<Row>(columns: Column<Row>[], rows: Row[]): string {
  const lines = [columns.map(
      ({ title, saved }) => csvField(saved ?? title))];
  for (const row of rows) {
    lines.push(columns.map(({ value }) => csvField(value(row))));
  }
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function save(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  el("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ?
    a - b : String(a).localeCompare(String(b));
}

// `caption` describes the table; `file` is the name to save it by.
export function dataTable<Row>(
    caption: string, file: string, columns: Column<Row>[],
    rows: Row[]): HTMLElement {
  let sorted = { column: -1, ascending: true };
  let shown = rows;
  const body = el("tbody");
  const heads = columns.map((column, i) => el(
      "th", { scope: "col", class: column.text ? "text" : undefined },
      el("button", { class: "sort", onclick: () => sortBy(i) }, column.title)));

  function draw() {
    body.replaceChildren(...shown.map((row) => el(
        "tr", {}, columns.map((column) => el(
            "td", { class: column.text ? "text" : undefined },
            column.cell?.(row) ?? column.value(row))))));
    heads.forEach((head, i) => {
      if (i !== sorted.column) return head.removeAttribute("aria-sort");
      head.setAttribute(
          "aria-sort", sorted.ascending ? "ascending" : "descending");
    });
  }

  function sortBy(i: number) {
    const value = columns[i]?.value;
    if (value === undefined) return;
    const ascending = i === sorted.column ?
      !sorted.ascending :
      rows.some((row) => typeof value(row) === "string");
    sorted = { column: i, ascending };
    shown = [...rows].sort(
        (a, b) => compare(value(a), value(b)) * (ascending ? 1 : -1));
    draw();
  }

  draw();
  return el(
      "div", { class: "card table-card" },
      el(
          "div", {
            class: "scroll", tabindex: "0", role: "region",
            "aria-label": caption
          },
          el(
              "table", { class: "data" },
              el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)),
              body)),
      el(
          "button", {
            class: "plain", onclick: () => save(file, csvText(columns, shown))
          }, "Save as CSV"));
}
