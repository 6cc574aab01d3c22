// Errors about the changes of a question. The server names a change by its place
// in the request, from zero on; the page shows a numbered list of changes.

// Turns "what_if.changes[0].add_link.target: ..." into
// "the target of change 1: ...".
// Elsewhere in a message such words are a part of a node's name.
export function nameChanges(message: string): string {
  return message.replace(
      /(^| by )what_if\.changes\[(\d+)\](?:\.[a-z_]+)?(?:\.([a-z]+)[a-z_.]*)?/g,
      (_, before: string, place: string, part: string | undefined) =>
        `${before}${part === undefined ? "" : `the ${part} of `}` +
        `change ${Number(place) + 1}`);
}
