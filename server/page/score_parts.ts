// The parts of a score in words. What the part `logit_context` is depends on the
// scorer that answered: attention for "context", the two ends for "ends", and
// nothing for "structural".

import type { LinkResult } from "./messages";

type Logits = Pick<
  LinkResult, "logit_structural" | "logit_context" | "logit_knowledge">;

export interface ScorePart {
  label: string;
  words: string; // of it within a sentence
  value: number;
}

export function scoreParts(result: Logits, scorer: string): ScorePart[] {
  const between = scorer === "ends" ?
    { label: "what the ends are", words: "what the two ends are" } :
    { label: "context (attention)", words: "the attention over the context" };
  return [
    {
      label: "structure", words: "structure (paths and counts)",
      value: result.logit_structural
    },
    { ...between, value: result.logit_context },
    {
      label: "vectors",
      words: "the vectors of the two nodes (knowledge graph embedding)",
      value: result.logit_knowledge
    }
  ];
}

// Whether attention explains a part of the score.
export function attentionCounts(result: Logits, scorer: string): boolean {
  return scorer !== "ends" && result.logit_context !== 0;
}

// Which part carries the score, as a sentence.
export function carrier(result: Logits, scorer: string): string {
  const { words } = scoreParts(result, scorer).reduce(
      (a, b) => Math.abs(b.value) > Math.abs(a.value) ? b : a);
  const attention = attentionCounts(result, scorer) ? "" :
    " Attention adds nothing to this score; it only shows where the network " +
    "would look.";
  return `Most of the score comes from ${words}.${attention}`;
}
