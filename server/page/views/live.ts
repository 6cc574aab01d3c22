// What the server does now, read from its metrics every two seconds.

import { CallError, getMetrics } from "../api";
import { lineChart } from "../drawings/line_chart";
import { el } from "../elements";
import type { Sample } from "../metrics_text";
import { buckets, parseMetrics, quantileBetween, total } from "../metrics_text";
import { troubleCard } from "../parts/trouble";
import { count, duration } from "../text";

const PERIOD_MS = 2000;
const READINGS = 61; // two minutes
const LATENCY = "slice_model_request_seconds";

interface Reading {
  seconds: number; // on the clock of the browser
  links: number | null; // answered, per second since the reading before
  waiting: number;
  p50: number | null;
  p99: number | null;
}

class Readings {
  private readonly all: Reading[] = [];
  private before: { seconds: number, samples: Sample[] } | undefined;

  add(seconds: number, samples: Sample[]) {
    const answered = (all: Sample[]) => total(
        all, "slice_model_links_total", { outcome: "scored" });
    const { before } = this;
    const passed = seconds - (before?.seconds ?? seconds);
    const [old, now] = [
      buckets(before?.samples ?? samples, LATENCY), buckets(samples, LATENCY)
    ];
    this.all.push({
      seconds,
      links: before === undefined || passed <= 0 ? null : Math.max(
          0, (answered(samples) - answered(before.samples)) / passed),
      waiting: total(samples, "slice_queue_items"),
      p50: quantileBetween(old, now, 0.5),
      p99: quantileBetween(old, now, 0.99)
    });
    if (this.all.length > READINGS) this.all.shift();
    this.before = { seconds, samples };
  }

  charts(): HTMLElement[] {
    const now = this.all[this.all.length - 1]?.seconds ?? 0;
    const points = (of: (reading: Reading) => number | null) => this.all.map(
        (one) => ({ x: one.seconds - now, y: of(one) }));
    const x = {
      label: "seconds from now", low: -PERIOD_MS / 1000 * (READINGS - 1), high: 0
    };
    return [
      lineChart(
          { title: "Throughput", x, y: { label: "links/s", format: count } },
          [{ name: "links scored per second",
             points: points(({ links }) => links === null ?
               null : Math.round(links)) }]),
      lineChart(
          { title: "Time to an answer", x, y: { label: "time",
                                                format: duration } },
          [{ name: "median", points: points(({ p50 }) => p50) },
           { name: "99 %", points: points(({ p99 }) => p99) }]),
      lineChart(
          { title: "Queue", x, y: { label: "links", format: count } },
          [{ name: "links inside the server",
             points: points(({ waiting }) => waiting) }])
    ];
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// A card that says `error`, in `room`. The card that says so already stays, as
// the reader may be in it.
function showTrouble(
    room: HTMLElement, error: CallError, before: CallError | undefined) {
  const same = before?.trouble === error.trouble &&
    before.message === error.message;
  if (!same) room.replaceChildren(troubleCard(error));
}

// Fills `room` until `signal` is aborted. A server that is away is asked again.
// `asked` says whether the rest of the view asks who the reader is.
export async function showLive(
    room: HTMLElement, signal: AbortSignal,
    asked: () => Promise<boolean>): Promise<void> {
  const readings = new Readings();
  let trouble: CallError | undefined;
  while (!signal.aborted) {
    try {
      const samples = parseMetrics(await getMetrics(signal));
      readings.add(performance.now() / 1000, samples);
      room.replaceChildren(el("div", { class: "charts" }, readings.charts()));
      trouble = undefined;
    } catch (error) {
      if (signal.aborted || !(error instanceof CallError)) return;
      if (error.trouble === "identity" && await asked()) return;
      if (signal.aborted) return;
      showTrouble(room, error, trouble);
      trouble = error;
      if (["identity", "role"].includes(error.trouble)) return;
    }
    await pause(PERIOD_MS, signal);
  }
}
