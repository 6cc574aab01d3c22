// The sheet has four parts:
//
// 1. The colours, as variables. The media query redefines them for dark pages.
// 2. The layout of pages: tiles, cards and tables.
// 3. The charts of common/page/svg_chart.h. The classes line0 to line5, fill0
//    to fill5 and key1 to key5 give the series their colours.
// 4. The rules for narrow screens and for printing.
#include "common/page/page_style.h"

namespace slice {
namespace {

constexpr std::string_view kStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2330; --muted: #5c6675;
  --edge: #dfe3e9; --grid: #e9ecf1; --track: #edf0f4; --accent: #1f63c9;
  --c0: #1f63c9; --c1: #d9730d; --c2: #2a8f6d; --c3: #9a4fb3; --c4: #8a8f99;
  --c5: #b8860b; --note: #fff8e6; --note-edge: #e9c46a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2028; --ink: #e6eaf0; --muted: #98a3b3;
    --edge: #2c343f; --grid: #262d37; --track: #262d37; --accent: #6ea8ff;
    --c0: #6ea8ff; --c1: #f4a259; --c2: #5cc8a1; --c3: #c994e0; --c4: #9aa3b0;
    --c5: #e0bd5b; --note: #2a2518; --note-edge: #7a6526;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 32px 24px 64px; max-width: 1080px;
  background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial,
    sans-serif;
}
h1 { font-size: 26px; margin: 0; letter-spacing: -0.01em;
  overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 40px 0 12px; }
h2 + p { margin: -6px 0 12px; }
h3 { font-size: 15px; margin: 0 0 4px; }
p { margin: 4px 0; }
.muted { color: var(--muted); }
.small { font-size: 13px; }
.tiles { display: grid; gap: 12px; margin: 20px 0;
  grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); }
.tile, .card { background: var(--card); border: 1px solid var(--edge);
  border-radius: 10px; }
.tile { padding: 12px 16px; }
.tile b { display: block; font-size: 26px; font-weight: 600;
  font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
.tile span { color: var(--muted); font-size: 13px; }
.card { padding: 16px; margin-bottom: 16px; overflow-x: auto; }
.charts { display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(430px, 100%), 1fr)); }
.charts .card { margin: 0; }
.notes { background: var(--note); border: 1px solid var(--note-edge);
  border-radius: 10px; padding: 10px 16px; margin: 16px 0; }
.notes ul { margin: 0; padding-left: 18px; }
dl.facts { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 12px 0 0; }
dl.facts div { display: flex; gap: 6px; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; }
th { text-align: right; font-weight: 500; color: var(--muted);
  font-size: 13px; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
td:first-child { white-space: normal; width: 28%; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--edge); }
tr:last-child td { border-bottom: 0; }
tr.ours td { font-weight: 600; }
td.bar { width: 30%; min-width: 90px; }
.track { display: block; height: 10px; border-radius: 5px;
  background: var(--track); overflow: hidden; }
.track i { display: block; height: 100%; border-radius: 5px;
  background: var(--c4); }
tr.ours .track i, tr.model .track i { background: var(--accent); }
svg.chart { display: block; width: 100%; height: auto; }
svg text { fill: var(--muted); font-size: 11px; }
p.chart-title { font-size: 14px; font-weight: 600; margin: 0 0 2px; }
p.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 12.5px;
  margin: 0 0 4px; }
p.legend span::before { content: ""; display: inline-block; width: 10px;
  height: 10px; border-radius: 2px; margin-right: 5px; }
p.legend span { --k: var(--c0); color: var(--ink); }
p.legend span::before { background: var(--k); }
p.legend .key1 { --k: var(--c1); } p.legend .key2 { --k: var(--c2); }
p.legend .key3 { --k: var(--c3); } p.legend .key4 { --k: var(--c4); }
p.legend .key5 { --k: var(--c5); }
svg .grid { stroke: var(--grid); stroke-width: 1; }
svg .base { stroke: var(--muted); stroke-width: 1; }
svg .reference { stroke: var(--muted); stroke-width: 1;
  stroke-dasharray: 4 4; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg .area { fill-opacity: 0.28; stroke-width: 1.5; }
svg .dot { stroke: var(--card); stroke-width: 1.5; }
svg .cell { fill: var(--accent); stroke: var(--edge); stroke-width: 0.5; }
.attention { display: flex; flex-wrap: wrap; gap: 12px 24px; margin-top: 10px; }
.heat { display: flex; flex-wrap: wrap; gap: 12px 20px; flex: 0 1 auto; }
.heat svg.chart { max-width: 100%; }
ol.tokens { margin: 0; padding-left: 30px; font-size: 13px;
  flex: 1 1 260px; align-self: center; }
ol.tokens li { break-inside: avoid; overflow-wrap: anywhere; }
details summary { cursor: pointer; font-weight: 500; padding: 2px 0; }
svg .line0 { stroke: var(--c0); } svg .line1 { stroke: var(--c1); }
svg .line2 { stroke: var(--c2); } svg .line3 { stroke: var(--c3); }
svg .line4 { stroke: var(--c4); } svg .line5 { stroke: var(--c5); }
svg .fill0 { fill: var(--c0); } svg .fill1 { fill: var(--c1); }
svg .fill2 { fill: var(--c2); } svg .fill3 { fill: var(--c3); }
svg .fill4 { fill: var(--c4); } svg .fill5 { fill: var(--c5); }
@media (max-width: 600px) {
  body { padding: 20px 12px 40px; }
  .card { padding: 12px; }
  table { font-size: 12.5px; }
  th, td { padding: 6px 3px; }
  th { white-space: normal; font-size: 12px; }
  td.bar { width: auto; min-width: 30px; }
  td:first-child { width: auto; min-width: 70px; }
}
@media print {
  body { background: #fff; max-width: none; padding: 0; }
  .card, .tile { break-inside: avoid; }
}
)css";

}  // namespace

std::string_view ReportStyleSheet() { return kStyleSheet; }

}  // namespace slice
