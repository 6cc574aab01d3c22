"""Study 6: the paper's case study, one link of DBLP seen by five contexts."""

from collections.abc import Sequence
from typing import Any

from presets_page import table
from studies_cells import Cell, Found, Part, Study, Version
from studies_charts import DotPanel, MapPanel, Panel, chart
from studies_compare import Setting
from studies_words import listed, plain

# "Summarizing itemset patterns: a profile-based approach" and Jiawei Han.
PAPER, RELATION, AUTHOR = "28046", "1", "6999"
WHOLE = Setting("five contexts", "paper",
                ("--context random", "--contexts-per-link 5"))
POOLED = {"max": "largest", "mean": "mean"}
LONGEST = 34  # letters of a name in the plot


def _case(version: Version, seed: int) -> Cell:
    return Cell("case", version.case_set, seed, (PAPER, RELATION, AUTHOR),
                bundle_of=WHOLE.cell(version, version.case_set, seed))


def _cells(version: Version) -> list[Cell]:
    if not version.case_set:
        return []
    return [cell for seed in version.seeds
            for cell in (WHOLE.cell(version, version.case_set, seed),
                         _case(version, seed))]


def _answers(version: Version, found: Found) -> dict[int, Any]:
    """{seed: what slice-client said}, of answers with contexts."""
    answers = {}
    for seed in version.seeds if version.case_set else ():
        figures = found.get(_case(version, seed))
        if figures and figures["answer"]["explanation"].get("contexts"):
            answers[seed] = figures["answer"]
    return answers


def _part(version: Version, found: Found) -> Part:
    answers = _answers(version, found)
    missing = ["SLiCE's authors print the number 28406, which is an author in "
               "the set. The paper with the title that they name is 28046."]
    if not version.case_set:
        missing.append("There is no set dblp, so this study has no figures.")
    if not answers:
        return Part(missing=missing)
    seed, answer = next(iter(answers.items()))
    contexts = answer["explanation"]["contexts"]
    rows = [[str(i + 1), _between(context), f"{context['logit']:.2f}",
             f"{context['probability']:.3f}", _types(context)]
            for i, context in enumerate(contexts)]
    return Part(
        list(table(["context", "nodes between the ends", "logit",
                    "probability", "their types"], rows)),
        chart("Case study: one link, five contexts",
              _panels(seed, contexts, answers)),
        _sentences(seed, contexts, answer, answers), missing,
        _answer_sentences(seed, contexts, answer))


def _name(token: Any) -> str:
    node = token["node"]
    return str(node.get("name") or node["key"])


def _middle(context: Any) -> list[Any]:
    return [token for token in context["tokens"] if token["role"] == "BETWEEN"]


def _between(context: Any) -> str:
    return "; ".join(_name(token).replace("|", "\\|")
                     for token in _middle(context)) or "none"


def _types(context: Any) -> str:
    types = [token["node"]["type"] for token in _middle(context)]
    return ", ".join(f"{types.count(name)} {name}"
                     for name in sorted(set(types))) or "–"


def attention_of(context: Any) -> list[list[list[float]]]:
    """[layers][tokens][tokens], the mean of the heads."""
    return [[[sum(head[i][j] for head in heads) / len(heads)
              for j in range(len(heads[0]))] for i in range(len(heads[0]))]
            for heads in context["attention"]]


def _ends(context: Any) -> tuple[int, int]:
    roles = [token["role"] for token in context["tokens"]]
    return roles.index("SOURCE"), roles.index("TARGET")


def _panels(seed: int, contexts: Sequence[Any],
            answers: dict[int, Any]) -> list[Panel]:
    best = max(range(len(contexts)), key=lambda i: contexts[i]["logit"])
    tokens = contexts[best]["tokens"]
    names = [f"N{i}: {_short(_name(token))}" for i, token in enumerate(tokens)]
    columns = [f"N{i}" for i in range(len(tokens))]
    panels: list[Panel] = [DotPanel(
        "Score of the link from each context alone", "logit",
        [(f"context {i + 1}", {
            f"seed {one}": (answer["explanation"]["contexts"][i]["logit"], 0.0)
            for one, answer in answers.items()
            if i < len(answer["explanation"]["contexts"])})
         for i in range(len(contexts))], zero=False)]
    matrices = attention_of(contexts[best])
    most = max(value for matrix in matrices for row in matrix for value in row)
    for layer, matrix in enumerate(matrices):
        shown: list[list[float | None]] = [list(row) for row in matrix]
        panels.append(MapPanel(
            f"Context {best + 1}, seed {seed}, layer {layer + 1}: how much each "
            "row receives from each column", names, columns, shown,
            bounds=(0, most)))
    return panels


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[:LONGEST - 1] + "…"


def _carried(answer: Any, best: int) -> str:
    """What the score rests on, by leaving out one thing at a time. `best` is
    the context with the highest score."""
    effects: dict[str, list[float]] = {}
    for one in answer["explanation"].get("evidence", []):
        effects.setdefault(one["kind"], []).append(one["logit_effect"])
    if "ENDS" not in effects or "NODE" not in effects:
        return ""
    most = max(map(abs, effects["NODE"]))
    text = (f"Without what the two ends are in themselves the logit falls by "
            f"{effects['ENDS'][0]:.2f}; without the links of any one node of "
            f"context 1 it changes by {most:.3f} at most.")
    if best == 0 or POOLED.get(_pooling(answer)) != POOLED["max"]:
        return text
    return text + (" Evidence names the nodes of context 1 alone, and context "
                   f"{best + 1} gives the score. So this does not say what the "
                   f"nodes of context {best + 1} carry.")


def _pooling(answer: Any) -> str:
    return str(answer["explanation"].get("context_pooling", ""))


def _worst_and_best(contexts: Sequence[Any]) -> tuple[int, int]:
    """The positions of the contexts with the lowest and the highest score."""
    order = sorted(range(len(contexts)), key=lambda i: contexts[i]["logit"])
    return order[0], order[-1]


def _answer_sentences(seed: int, contexts: Sequence[Any],
                      answer: Any) -> list[str]:
    pooling = _pooling(answer)
    worst, best = _worst_and_best(contexts)
    return [
        f"With seed {seed} the five contexts give the link logits from "
        f"{contexts[worst]['logit']:.2f} (context {worst + 1}) to "
        f"{contexts[best]['logit']:.2f} (context {best + 1}).",
        f"The score of a link is the {POOLED.get(pooling, pooling)} of its "
        f"contexts, here {answer['logit']:.2f}, which is a probability of "
        f"{answer['probability']:.3f} after calibration."]


def _sentences(seed: int, contexts: Sequence[Any], answer: Any,
               answers: dict[int, Any]) -> list[str]:
    worst, best = _worst_and_best(contexts)
    venues = [str(i + 1) for i, context in enumerate(contexts)
              if any(token["node"]["type"] == "venue"
                     for token in _middle(context))]
    matrices = attention_of(contexts[best])
    source, target = _ends(contexts[best])
    shares = [matrix[target][source] for matrix in matrices]
    drawn = len({_between(context) for context in contexts})
    return [
        *filter(None, [_carried(answer, best)]),
        *([f"Random walks drew {drawn} different contexts; the others are "
           "repeated."] if drawn < len(contexts) else []),
        "In the paper the context with a venue has the lowest score; here "
        + (f"contexts with a venue are {listed(venues)}, and the lowest is "
           f"{worst + 1}." if venues else
           "no context has a venue, so that the two cannot be compared."),
        f"In context {best + 1} the author receives {shares[0]:.2f} of its "
        f"attention from the paper in the first layer and {shares[-1]:.2f} in "
        f"the last one; an even share is {1 / len(matrices[0]):.2f}."
        + _over_seeds(seed, answers)]


def _over_seeds(seed: int, answers: dict[int, Any]) -> str:
    """The score by seed; "" of one seed."""
    if len(answers) < 2:
        return ""
    scores = [answer["logit"] for answer in answers.values()]
    return (f" These are figures of seed {seed}, and so are the maps. Each seed "
            "draws contexts of its own and trains a network of its own: the "
            f"score of the link is {plain(scores, 2)} over {len(scores)} seeds.")


STUDIES = [
    Study(6, "case", "Case study",
          "How does the score of one link depend on its context? The link is "
          "the paper's: *Summarizing itemset patterns: a profile-based "
          "approach* and its author Jiawei Han, which is a test link. The "
          "network is that of `paper` with five random contexts of a link, "
          "and `slice-client explain` shows the score of each alone. A processor "
          "which sums in another order trains another network, as another seed "
          "does.", _cells, _part),
]
