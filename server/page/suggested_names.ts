// Reads the sentence that the server writes about an unknown name
// (common/did_you_mean.h): "no node has the key 'a'; did you mean 'b' or 'c'?".
// Names may have apostrophes, and the sentence does not escape them.

export interface SuggestedNames {
  wrong: string;
  names: string[];
}

const QUESTION = "; did you mean ";
const LONGEST = 120; // bytes of a name that the sentence quotes

// What is between the first quote and the last.
function quoted(text: string): string {
  return text.slice(text.indexOf("'") + 1, text.lastIndexOf("'"));
}

// Whether the sentence has only the beginning of the name.
function isCut(name: string): boolean {
  return name.endsWith("...") && new TextEncoder().encode(name).length >= LONGEST;
}

export function suggestedNames(message: string): SuggestedNames {
  const at = message.indexOf(QUESTION);
  if (at < 0) return { wrong: "", names: [] };
  const names = quoted(message.slice(at + QUESTION.length)).split("' or '");
  return {
    wrong: quoted(message.slice(0, at)),
    names: names.filter((name) => name !== "" && !isCut(name))
  };
}
