// Reads the text format of Prometheus, as far as the page needs it: samples
// with their labels.

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) =>
    letter === "n" ? "\n" : letter);
}

export function parseMetrics(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const end = line.lastIndexOf("}") + 1 || line.indexOf(" ");
    const brace = line.indexOf("{");
    const name = line.slice(0, brace < 0 ? end : brace);
    const labels: Record<string, string> = {};
    if (brace >= 0) {
      for (const [, label = "", value = ""] of
           line.slice(brace, end).matchAll(LABEL)) {
        labels[label] = unescaped(value);
      }
    }
    const [value = ""] = line.slice(end).trim().split(" ");
    samples.push(
        { name, labels, value: value === "+Inf" ? Infinity : Number(value) });
  }
  return samples;
}

// The sum of all samples of a name that have these labels.
export function total(
    samples: Sample[], name: string,
    labels: Record<string, string> = {}): number {
  return samples.filter((one) => one.name === name &&
    Object.entries(labels).every(
        ([label, value]) => one.labels[label] === value)).reduce(
      (sum, one) => sum + one.value, 0);
}

// The counts of a histogram by the upper bounds of its buckets, summed over
// its other labels.
export function buckets(samples: Sample[], name: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const one of samples) {
    if (one.name !== `${name}_bucket`) continue;
    const text = one.labels["le"] ?? "";
    const bound = text === "+Inf" ? Infinity : Number(text);
    counts.set(bound, (counts.get(bound) ?? 0) + one.value);
  }
  return counts;
}

// The quantile of what came between two readings of a histogram, interpolated
// within its bucket as Prometheus does; null when nothing came.
export function quantileBetween(
    before: Map<number, number>, after: Map<number, number>,
    share: number): number | null {
  const bounds = [...after.keys()].sort((a, b) => a - b);
  const counts = bounds.map(
      (bound) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0));
  const all = counts[counts.length - 1] ?? 0;
  if (all <= 0) return null;
  const place = counts.findIndex((one) => one >= share * all);
  const [low, high] = [bounds[place - 1] ?? 0, bounds[place] ?? 0];
  if (high === Infinity) return low;
  const below = counts[place - 1] ?? 0;
  const inside = (counts[place] ?? 0) - below;
  return inside <= 0 ? high : low + (high - low) * (share * all - below) / inside;
}
