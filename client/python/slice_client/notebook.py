"""Explanations as HTML, for notebooks. Every text is escaped; there is no
script."""

from __future__ import annotations

from html import escape

from slice_client.results import Explanation, Token

_MOST_REASONS = 8
_BAR = ('<span style="display:inline-block;height:.7em;width:{width:.0f}px;'
        'background:{colour}"></span>')


def _bar(value: float, most: float) -> str:
    colour = "#2a7de1" if value >= 0 else "#d1642e"
    return _BAR.format(width=120 * abs(value) / most if most else 0,
                       colour=colour)


def _path(token: Token, start: str) -> str:
    words = [escape(start)]
    for step in token.path:
        arrow = "→" if step.forward else "←"
        words.append(f"<i>{escape(step.relation)}</i> {arrow} "
                     f"{escape(step.node.name)}")
    return " ".join(words)


def _contexts(explanation: Explanation) -> str:
    link = explanation.prediction
    ends = {link.source.key, link.target.key}
    rows = "".join(
        f"<tr><td>{place}</td><td>{one.logit:+.3f}</td>"
        f"<td>{one.probability:.4f}</td><td style='text-align:left'>"
        + escape(", ".join(token.node.name or token.node.key
                           for token in one.tokens
                           if token.node and token.node.key not in ends))
        + "</td></tr>"
        for place, one in enumerate(explanation.contexts, 1))
    return rows and (
        "<table><tr><th>context</th><th>logit</th><th>probability</th>"
        f"<th style='text-align:left'>nodes between the ends</th></tr>{rows}"
        "</table>")


def explanation_html(explanation: Explanation) -> str:
    link = explanation.prediction
    reasons = explanation.reasons[:_MOST_REASONS]
    most = max((abs(one.effect) for one in reasons), default=0.0)
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(one.description)}</td>"
        f"<td>{one.effect:+.3f}</td>"
        f"<td style='text-align:left'>{_bar(one.effect, most)}</td>"
        f"<td>{one.probability_without:.4f}</td></tr>" for one in reasons)
    paths = "".join(f"<li>{_path(token, link.source.name)} "
                    f"({token.paths} such paths)</li>"
                    for token in explanation.tokens if token.path)
    return (
        f"<div><b>{escape(link.source.name)}</b> "
        f"<i>{escape(link.relation)}</i> → "
        f"<b>{escape(link.target.name)}</b>: probability "
        f"{link.probability:.4f} ({'a link' if link.decision else 'no link'}), "
        f"among its kind {link.probability_among_kind:.4f}"
        f"<p>{escape(explanation.summary)}</p>"
        "<table><tr><th style='text-align:left'>without</th><th>effect</th>"
        f"<th></th><th>probability</th></tr>{rows}</table>"
        f"<ul>{paths}</ul>{_contexts(explanation)}</div>")
