// What a reader should know before trusting recommendations.

import type { Recommendation } from "./messages";
import { counted, visible } from "./text";

const MOST_NOTES = 10;

// "Rank 3"; "Ranks 1 to 4, 7".
function rankWords(ranks: number[]): string {
  const runs: [number, number][] = [];
  for (const rank of ranks) {
    const run = runs[runs.length - 1];
    if (run !== undefined && run[1] + 1 === rank) {
      run[1] = rank;
    } else {
      runs.push([rank, rank]);
    }
  }
  return `${ranks.length === 1 ? "Rank" : "Ranks"} ${runs.map(
      ([first, last]) => first === last ?
        String(first) : `${first} to ${last}`).join(", ")}`;
}

// Each note once, with the ranks that have it unless all have it.
export function rankedNotes(
    rows: Pick<Recommendation, "rank" | "flags">[]): string[] {
  const ranks = new Map<string, number[]>();
  for (const { rank, flags } of rows) {
    for (const note of flags.notes) {
      ranks.set(note, [...ranks.get(note) ?? [], rank]);
    }
  }
  const lines = [...ranks].map(([note, of]) => of.length === rows.length ?
    visible(note) : `${rankWords(of)}: ${visible(note)}`);
  const more = lines.length - MOST_NOTES;
  return more <= 0 ? lines :
    [...lines.slice(0, MOST_NOTES), `And ${counted(more, "more note")}.`];
}
