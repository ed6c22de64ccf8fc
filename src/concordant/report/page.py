"""The HTML page about two partitions."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.records import FREE_SUMS
from concordant.catalogue.values import Similarity
from concordant.comparison import ALL_AGREE, Comparison
from concordant.door import checked
from concordant.errors import Argument, InputError, Setting, message_of
from concordant.files import write_text_atomically
from concordant.measures.adjusted import Concordance
from concordant.measures.comparing import compare, names_of
from concordant.measures.concordance import concordance
from concordant.partition.alignment import MatchBy, aligned, all_aligned
from concordant.partition.partition import Partition
from concordant.plot.order import in_matched_order, matching_colors
from concordant.plot.palette import DISTINCT
from concordant.plot.stacks import groups_of
from concordant.printing import number, printed, size_of_error
from concordant.report.differing import (
    cells_view,
    differences,
    differing_view,
    object_views,
    partition_view,
)
from concordant.report.figures import figures_of
from concordant.report.uncertainty import tested, uncertainty_view
from concordant.verdict import InWords
from concordant.version import __version__
from concordant.wording import count


@checked
def write_report(P: object, Q: object, path: str | Path, **options: Any) -> None:
    """
    Write a report about two partitions: one self-contained HTML page.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects.
    path : str or Path
        Where to. The file is written whole or not at all.
    **options
        As in `render_report`: a truth to compare both with, names, groups of the
        objects, a comparison that has been computed already, and more.

    Raises
    ------
    FileError
        If the file cannot be written; what was there before is still there.

    Notes
    -----
    The same partitions give the same bytes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant.report import write_report
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "report.html")
    ...     write_report(P, [0, 0, 1, 1], path, names=("FCM", "species"))
    ...     path.read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    write_text_atomically(path, render_report(P, Q, **options))


@checked
def render_report(
    P: object,
    Q: object,
    *,
    truth: object = None,
    names: tuple[str, str] | None = None,
    truth_name: str = "truth",
    match_by: MatchBy = "position",
    comparison: Comparison | None = None,
    groups: object = None,
    readings: Sequence[str] = (),
    n_jobs: int | None = None,
) -> str:
    """
    Return the page that `write_report` writes.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects.
    truth : Partition, or anything one can be made from, optional
        What both are compared with, such as known classes.
    names : tuple of two str, optional
        What the partitions are called; by default as in `compare`.
    truth_name : str, default="truth"
        What the truth is called.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.
    comparison : Comparison, optional
        Of P and Q, if it has been computed already; by default
        ``compare(P, Q, families="all")``.
    groups : sequence of n labels, or Partition, optional
        The group of each object, by which their memberships are drawn; by default the
        groups that the partitions have, if any. True demands these.
    readings : sequence of str, optional
        How P, Q and the truth were read, a sentence for each, which the page shows.
    n_jobs : int, optional
        Number of threads; see `concordance`. The page is the same.

    Returns
    -------
    str
        HTML.
    """
    p, q = aligned(P, Q, match_by=match_by)
    *_, labelled = with_groups([p, q], ["P", "Q"], match_by, groups)
    grouped = groups_of(labelled, [p, q])
    if comparison is None:
        names = names or names_of(None, P, Q)
        comparison = compare(p, q, families="all", n_jobs=n_jobs)
    elif comparison.n_objects != p.n_objects:
        what = f" is of {count(comparison.n_objects, 'object')}, but P and Q have "
        raise InputError(Argument("comparison"), f"{what}{p.n_objects}")
    q = in_matched_order(p, q)
    found = comparison.concordance
    if found is not None:
        comparison = replace(comparison, test=tested(p, q, comparison, n_jobs))
    test = comparison.test
    names = names or comparison.names
    names = (printed(names[0]), printed(names[1]))
    colors = matching_colors(p, q)
    true = None
    if truth is not None:
        true = in_matched_order(p, _aligned_truth(P, p, truth, match_by))

    shown = [
        (p, names[0], "First partition", colors[0]),
        (q, names[1], "Second partition", colors[1]),
    ]
    page: dict[str, Any] = {
        "names": names,
        "n_objects": p.n_objects,
        "match_by": match_by,
        "statistics": [STATISTICS[name] for name in comparison.statistics],
        "families": {
            family: FAMILIES[family].reading
            for family in dict.fromkeys(x.family for x in comparison.tables.values())
        },
        "comparison": comparison,
        "all_agree": ALL_AGREE if "crisp" in comparison.tables else "",
        "figures": figures_of(p, q, names, comparison, grouped),
        "grouped": grouped is not None,
        "many_colors": max(map(len, colors)) > len(DISTINCT),
        "agreement": None,
        "truth": None,
    }
    if true is not None:
        page["truth"] = truth_name = printed(truth_name)
        page["truth_rows"] = _truth_rows(comparison, p, q, true, (*names, truth_name))
        shown.append((true, truth_name, "Truth", matching_colors(p, true)[1]))
    told = [*readings, "", "", ""]
    page["partitions"] = [
        partition_view(*each, reading)
        for each, reading in zip(shown, told, strict=False)
    ]
    seen = None if found is None else differences(p, q, found, names, n_jobs)
    as_told = seen is not None and seen.clusters is not None
    page["cells"] = cells_view(p, q, as_told=as_told)
    if found is not None and seen is not None:
        uncertainty = uncertainty_view(test, comparison, seen)
        in_words = InWords(names, found, uncertainty["of_aci"], test)
        against = in_words.against_chance()
        page |= {
            "agreement": found,
            "sentence": in_words.sentence(),
            "verdict": f"{in_words.title()}. {against[:1].upper()}{against[1:]}.",
            "is_estimate": found.is_estimate,
            "null": NULLS[found.null],
            "indices": INDICES,
            "uncertainty": uncertainty,
            "tested": test is not None,
            "differing": seen.clusters and differing_view(seen.clusters, names, colors),
            "objects": object_views(seen.objects, (p, q), colors, true),
            "n_partners": 0 if seen.objects.is_exact else seen.objects.n_partners,
            "has_ids": p.ids is not None or q.ids is not None,
        }
    return rendered("report.html", page)


def rendered(template: str, page: Mapping[str, object]) -> str:
    """Return the HTML of a page, with what all pages have."""
    folder = resources.files("concordant.report").joinpath("templates")
    style, script = (
        folder.joinpath(name).read_text(encoding="utf-8")
        for name in ("style.css", "page.js")
    )
    # The hash by which the page allows this script and no other.
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest())
    environment = environment_of("concordant.report")
    environment.filters |= {"number": number, "error_of": error_of, "printed": printed}
    environment.filters["contents"] = _contents
    return environment.get_template(template).render(
        page,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        script_hash=f"sha256-{digest.decode('ascii')}",
    )


def _contents(html: str) -> list[tuple[str, Markup]]:
    """Return the sections of a page: their ids and titles."""
    found = re.findall(r'<h2 id="([^"]+)"[^>]*>(.*?)</h2>', html, flags=re.S)
    return [(key, Markup(title)) for key, title in found]


def with_groups(
    partitions: Sequence[Partition],
    names: Sequence[str],
    match_by: MatchBy,
    groups: object,
) -> tuple[list[Partition], object]:
    """Return the partitions on the objects that all have, and the groups of these."""
    if groups is None or groups is True:
        return all_aligned([*partitions], [*names], match_by), groups
    given = Partition._named(groups, "groups", warn=False)
    if given.kind != "crisp":
        raise InputError(
            Argument("groups"),
            " must have one label for each object, found memberships in several",
        )
    *members, found = all_aligned([*partitions, given], [*names, "groups"], match_by)
    return members, found


def error_of(result: Concordance) -> str:
    """Return a phrase on how far ACI may be from its exact value."""
    if result.is_exact:
        return "exact"
    sure = "with 95 % confidence" if result.is_estimate else "at most"
    return f"± {size_of_error(result.error)} {sure}"


def environment_of(package: str) -> Environment:
    """Return the environment of the templates that a package has."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(("html", "html.jinja")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _aligned_truth(
    given: object, P: Partition, truth: object, match_by: MatchBy
) -> Partition:
    try:
        objects, true = aligned(given, truth, match_by=match_by)
    except ValueError as error:
        raise InputError("the truth, here called Q: ", message_of(error)) from error
    n_given = Partition._named(given, "P")._n_given
    if not objects.n_objects == P.n_objects == n_given:
        raise InputError(
            "a report with a truth is about all objects; leave out ",
            Setting("noise", "drop"),
        )
    return true


def _truth_rows(
    comparison: Comparison,
    p: Partition,
    q: Partition,
    truth: Partition,
    names: Sequence[str],
) -> list[tuple[str, str, Concordance]]:
    """List the pairs among three partitions, as far as ACI is defined for them."""
    null = comparison.null if not NULLS[comparison.null].permutes else "permutations"
    similarity = cast(Similarity, comparison.similarity)
    rows = [
        (name, names[2], concordance(P, truth, similarity=similarity, null=null))
        for P, name in ((p, names[0]), (q, names[1]))
        if not FREE_SUMS & {P.kind, truth.kind}
    ]
    if comparison.concordance is not None:
        rows.append((names[0], names[1], comparison.concordance))
    return rows
