"""Which figures a run's page has."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.paper.null_study import (
    AS_FOUND,
    COUNTS,
    EXACT,
    EXAMPLE,
    FIFTH,
    OBJECTS,
    SIMILARITIES,
)
from concordant.paper.paper_tables import PaperTable
from concordant.paper.repetitions import Values
from concordant.paper.study_figures import (
    Dot,
    convergence,
    dots_and_intervals,
    heat_maps,
    null_distribution,
)
from concordant.paper.verdicts import ENOUGH, WORDS, Verdict, under


@dataclass(frozen=True)
class Picture:
    """An ``<svg>`` element with its caption and the name of its file."""

    name: str
    caption: str
    svg: str


def table_picture(table: PaperTable, verdicts: Sequence[Verdict]) -> Picture:
    """Draw a table, a panel for each index, or each data set if there is one index."""
    panels: dict[str, list[Dot]] = {}
    indices = {verdict.printed.index for verdict in verdicts}
    for verdict in verdicts:
        printed, found = verdict.printed, verdict.outcome
        if len(indices) == 1:
            panel, label = printed.row, printed.comparison
        elif table.judgement == "value":
            true = printed.comparison.startswith("true")
            panel, label = printed.index, printed.row + (" (true)" if true else " (PD)")
        else:
            panel, label = printed.index, printed.row
        panels.setdefault(panel, []).append(
            Dot(
                label,
                printed.value,
                found.median if table.judgement == "interval" else found.mean,
                found.low,
                found.high,
                verdict.word,
                tuple((o.design, o.low, o.high) for o in verdict.alternatives),
            )
        )
    words = Counter(verdict.word for verdict in verdicts)
    found_so = ", ".join(f"{words[word]} {word}" for word in WORDS if words[word])
    name = table.label.replace(" ", "-").replace("_", "-")
    caption = (
        f"{table.title}: {len(verdicts)} printed numbers on what was found "
        f"({found_so})."
    )
    n = verdicts[0].outcome.n
    few = table.judgement == "interval" and n < ENOUGH
    interval = f"lowest to highest of {n}" if few else "central 99 %"
    svg = dots_and_intervals(panels, name=name, description=caption, interval=interval)
    return Picture(name, caption, svg)


def heat_map_picture(table: PaperTable, verdicts: Sequence[Verdict]) -> Picture:
    """Draw a table of the second simulation as printed and under each design."""
    rows = list(dict.fromkeys(verdict.printed.row for verdict in verdicts))
    columns = list(dict.fromkeys(verdict.printed.comparison for verdict in verdicts))
    shape = len(rows), len(columns)
    printed = np.array([verdict.printed.value for verdict in verdicts]).reshape(shape)
    maps = {"printed": printed}
    for design in table.designs:
        medians = [under(design.name, verdict).median for verdict in verdicts]
        maps[f"{design.name}, median"] = np.array(medians).reshape(shape)
    found = maps[f"{table.designs[0].name}, median"]
    name = f"{table.label.replace('_', '-')}-map"
    index = verdicts[0].printed.index
    caption = (
        f"{index} between the partition with as many clusters as centres and the one "
        f"with C: as printed, and the medians over {verdicts[0].outcome.n} repetitions "
        f"with {' and with '.join(design.name for design in table.designs)}. From the "
        f"first of them the printed ones differ by {np.abs(printed - found).max():.3f} "
        "at most."
    )
    svg = heat_maps(maps, rows=rows, columns=columns, name=name, description=caption)
    return Picture(name, caption, svg)


def chance_pictures(values: Values) -> list[Picture]:
    """Draw a null distribution and the convergence of permutations, if they ran."""
    study = values.get("chance")
    if study is None:
        return []
    found, expected = (study[EXAMPLE, what, "NDC"][0] for what in (AS_FOUND, EXACT))
    draws = {what: study[EXAMPLE, what, "NDC"] for what in (OBJECTS, SIMILARITIES)}
    null_caption = (
        f"What chance gives for {EXAMPLE}, true partition and PD-clustering: NDC after "
        "permuting the objects and after permuting the similarities. Both have the "
        f"same exact expectation, {expected:.4f}; found is {found:.4f}."
    )
    exact = study[FIFTH, EXACT, "expected NDC"][0]
    errors = [study[FIFTH, f"h = {h}", "expected NDC"] - exact for h in COUNTS]
    first, last = (float(np.sqrt(np.mean(errors[k] ** 2))) for k in (0, -1))
    convergence_caption = (
        f"The expectation of NDC estimated from h permutations, on {FIFTH}, over "
        f"{len(errors[0])} repetitions: its error falls as 1/√h, from {first:.1e} at "
        f"h = 1 to {last:.1e} at h = {COUNTS[-1]}; the exact expectation needs none."
    )
    return [
        Picture(
            "null",
            null_caption,
            null_distribution(
                found, expected, draws, name="null", description=null_caption
            ),
        ),
        Picture(
            "convergence",
            convergence_caption,
            convergence(
                COUNTS, errors, name="convergence", description=convergence_caption
            ),
        ),
    ]
