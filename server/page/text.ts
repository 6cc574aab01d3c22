// Numbers and names as a reader sees them.

// `text` with its invisible characters shown as their code points. A name can
// then not reorder or hide what stands beside it.
export function visible(text: string): string {
  return text.replace(
      // Joiners are letters of some languages.
      /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu,
      (character) => {
        const code = character.codePointAt(0) ?? 0;
        return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
      });
}

// The beginning of a text that is longer than `length` characters.
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ?
      text :
      `${characters.slice(0, length - 1).join("")}…`;
}

// "99.73 %". A probability that is not 0 or 1 does not look like it.
export function percent(share: number): string {
  const value = share * 100;
  if (share > 0 && value < 0.001) return "< 0.001 %";
  if (share < 1 && value > 99.999) return "> 99.999 %";
  const fromEnds = Math.min(value, 100 - value);
  return `${value.toFixed(fromEnds < 0.1 ? 3 : fromEnds < 1 ? 2 : 1)} %`;
}

// "+1.47" or "−0.30".
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}

// "98,980", of a number or of the text of a uint64 in JSON.
export function count(value: number | string): string {
  return Number(value).toLocaleString("en-US");
}

// "1 link", "2 links".
export function counted(value: number | string, noun: string): string {
  return `${count(value)} ${noun}${Number(value) === 1 ? "" : "s"}`;
}

// "850 µs", "12.5 ms", "3.20 s".
export function duration(seconds: number): string {
  if (seconds === 0) return "0";
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toFixed(1)} ms`;
  return `${seconds.toFixed(2)} s`;
}
