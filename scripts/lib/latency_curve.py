"""A latency-throughput curve as an SVG."""

import math

from svg_parts import start, text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 70, 20, 20, 50
LINES = (("p50", "#1f5fa8"), ("p99", "#c1440e"))


def latency_curve(points):
    """The curve of [{"rpcs": per second, "p50": seconds, "p99": seconds}]. Its
    axis of latency is logarithmic."""
    most = max(point["rpcs"] for point in points) or 1
    latencies = [point[name] for point in points for name, _ in LINES]
    low = math.floor(math.log10(min(latencies)))
    high = max(low + 1, math.ceil(math.log10(max(latencies))))

    def x(rate):
        return LEFT + rate / most * (WIDTH - LEFT - RIGHT)

    def y(seconds):
        share = (math.log10(seconds) - low) / (high - low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = start("Latency of a single link by the rate of calls", WIDTH,
                  HEIGHT)
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" '
                     'stroke="#ddd"/>')
        parts.append(text(LEFT - 8, at + 4, "end", f"{10.0**(power + 3):g} ms"))
    for tick in range(6):
        rate = most * tick / 5
        parts.append(text(x(rate), HEIGHT - BOTTOM + 18, "middle",
                          f"{rate:,.0f}"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "middle",
                      "RPC/s"))
    for i, (name, color) in enumerate(LINES):
        drawn = [(x(point["rpcs"]), y(point[name])) for point in points]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in drawn)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                     'stroke-width="2"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{color}"/>'
                  for px, py in drawn]
        parts.append(text(LEFT + 12, TOP + 14 + 16 * i, "start", name, color))
    return "\n".join(parts + ["</svg>"]) + "\n"
