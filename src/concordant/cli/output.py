"""The result of a command is printed or written, as text, CSV or JSON."""

import csv
import io
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import concordant as cc
from concordant.cli import options
from concordant.cli.faults import Fault, told, warn
from concordant.printing import cut
from concordant.storage.atomic import write_text_atomically
from concordant.wording import called, count

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from concordant.partition.alignment import MatchBy

_KEPT = (".csv", ".tsv", ".tab", ".parquet", ".pq")  # ends of names as written

Cell = str | int | float | bool | None
Json = Cell | Sequence["Json"] | Mapping[str, "Json"]


@dataclass(frozen=True)
class Described:
    """What a document says of a partition, and how its file of `n_rows` was read."""

    file: str
    kind: str
    n_objects: int
    n_clusters: int
    understood: "cc.files.ReadSummary"
    remarks: tuple[str, ...]
    n_rows: int

    @property
    def reading(self) -> str:
        """How it was read, for people."""
        return self.understood.sentence(self.n_rows)

    def to_dict(self) -> dict[str, Json]:
        """Return its file, kind and size, and how it was read."""
        told = {name: value for name, value in vars(self).items() if name != "n_rows"}
        return {**told, "understood": self.understood.to_dict()}

    def lines(self, title: str) -> list[str]:
        """Return the same as `to_dict` for people to read."""
        clusters = count(self.n_clusters, "cluster")
        return [
            f"{title}: {self.file} ({self.kind}, {clusters})",
            *(f"   {line}" for line in (self.reading, *self.remarks)),
        ]


@dataclass(frozen=True)
class GivenFiles:
    """
    The files that a command is given, and how their objects are matched.

    `partitions` are those of the `files`, unless these are read in parts, and `labels`
    has the groups or strata of their objects by the name of the option.
    """

    described: "Sequence[Described]"
    match_by: "MatchBy"
    partitions: "Sequence[cc.Partition]" = ()
    files: Sequence[str] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the files, with numbers where one is given again."""
        seen: Counter[str] = Counter()
        names = []
        for each in self.described:
            seen[each.file] += 1
            number = seen[each.file]
            names.append(each.file if number == 1 else f"{each.file} ({number})")
        return names

    @property
    def titles(self) -> list[str]:
        """What the partitions are called on pictures: files without folder and end."""
        shorter = [_stem(name) for name in self.names]
        return shorter if len({*shorter}) == len(shorter) else self.names

    @property
    def lines(self) -> list[str]:
        """The files by number and how they were read, for people."""
        numbered = enumerate(self.described, start=1)
        return [line for number, each in numbered for line in each.lines(f"{number}")]

    def tell_remarks(self) -> None:
        """Say on standard error what was noticed of each file."""
        for one in self.described:
            for remark in one.remarks:
                warn(f"{one.file}: {remark}")

    def matched(self, n_objects: int) -> str:
        """Return how many objects there are, and how they are matched, for people."""
        common = "common ids" if self.match_by == "common" else self.match_by
        return f"{count(n_objects, 'object')}, matched by {common}"

    @property
    def all_matched(self) -> str:
        """The same of all pairs, whose partitions may have other objects each."""
        sizes = sorted({each.n_objects for each in self.described})
        return f"{sizes[0]} to " * (len(sizes) > 1) + self.matched(sizes[-1])

    def to_dict(self) -> dict[str, Json]:
        """Return how objects are matched, and all files."""
        files = [each.to_dict() for each in self.described]
        return {"matched_by": self.match_by, "partitions": files}


@dataclass(frozen=True)
class Document:
    """
    The result of a command: `json` has all of it, of a version of the command's schema.

    `header` and `rows` are its CSV form, `lines` the text.
    """

    command: str
    version: int
    json: Mapping[str, Json]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    lines: Sequence[str]


def as_text(document: Document, form: str) -> str:
    """
    Return a document as "json", "csv" or lines for people.

    JSON is ASCII, and its numbers that are not finite are null. JSON and CSV have all
    digits, and write true and false.
    """
    if form == "json":
        schema = f"concordant/{document.command}"
        content = {"schema": schema, "version": document.version, **document.json}
        return json.dumps(_finite(content), indent=2, allow_nan=False) + "\n"
    if form == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(document.header)
        for row in document.rows:
            told = (str(x).lower() if isinstance(x, bool) else x for x in row)
            writer.writerow(told)
        return text.getvalue()
    return "".join(f"{line}\n" for line in document.lines)


def check_places(read: Iterable[str], settings: Mapping[str, Any]) -> None:
    """
    Refuse to write over what is read, or over what another option writes.

    Options for a picture are refused where none is drawn.
    """
    odd = options.taken(settings, ("groups", "order", "title", "width"))
    if odd and settings.get("plot", "") is None:
        raise click.UsageError(
            f"--{next(iter(odd))} is for a picture; give --plot FILE too"
        )
    taken = {place: "a file that is read" for place in read if place != "-"}
    for option in ("out", "plot", "checkpoint"):
        places = settings.get(option)
        for place in [places] if isinstance(places, str) else places or ():
            if place in ("", "-"):
                instead = ", or write ./-" if place else ""
                what = f"names no file; leave it out{instead}"
                raise Fault(f"--{option} {place or called(place)}: {what}")
            for other, what in taken.items():
                if _are_one(place, other):
                    raise Fault(f"--{option} {called(place)}: would overwrite {what}")
            taken[place] = f"what --{option} writes"


def deliver(document: Document, form: str | None, out: str | None = None) -> None:
    """Print a document or write it; without a `form` the suffix of `out` chooses."""
    suffix = Path(out or "").suffix.casefold().removeprefix(".")
    text = as_text(document, form or suffix)
    if out is None:
        print_text(text)
    else:
        write_text_atomically(out, text)


def print_text(text: str) -> None:
    """Print text on standard output, in UTF-8 and with the line ends that it has."""
    click.echo(text.encode("utf-8"), nl=False)


def write_memberships(
    place: str | None,
    memberships: "NDArray[np.float64]",
    ids: "NDArray[Any] | None",
    clusters: Sequence[str] = (),
) -> None:
    """Write memberships to a file, or print them as CSV if there is none."""
    names = clusters or [f"cluster_{k + 1}" for k in range(memberships.shape[1])]
    if place is not None:
        cc.files.write_table(place, memberships, names=names, ids=ids)
    else:
        print_text(cc.files.table_text(memberships, names=names, ids=ids))


def write_partitions(
    folder: str,
    places: Sequence[str],
    partitions: "Sequence[cc.Partition]",
    clusters: Sequence[Sequence[str]],
) -> None:
    """Write memberships to files of a folder, which is made if it is not there."""
    os.makedirs(folder, exist_ok=True)
    for place, each, names in zip(places, partitions, clusters, strict=True):
        write_memberships(place, each.memberships, each.ids, names)


def end_of(file: str) -> str:
    """Return what the name of a file of memberships ends in that is as another."""
    from concordant.files.formats import place_and_run

    end = os.path.splitext(place_and_run(file, None)[0])[1]
    return end if end == ".Q" or end.casefold() in _KEPT else ".csv"


def told_of_writing(places: Sequence[str]) -> list[str]:
    """Return lines that say which files are written, for people."""
    return [line for (line,) in cut([[f"written: {called(x)}"] for x in places])]


def write_plot(
    settings: Mapping[str, Any], draw: "Callable[..., Axes | Figure]", **how: Any
) -> None:
    """Draw a picture in the file of ``--plot``, if there is one, as options say."""
    if settings["plot"] is not None:
        from concordant.plot.picture import write_picture

        how |= options.taken(settings, ("order", "title", "width"))
        with told():
            figure: Any = draw(**how).figure
        write_picture(settings["plot"], figure)


def _stem(name: str) -> str:
    """Return the name of a file without folder and end, with the run it is of."""
    path, mark, run = name.partition("#")
    return f"{Path(path).stem}{mark}{run}"


def _are_one(one: str, other: str) -> bool:
    """Return whether two names lead to one file, be it there or not; devices may."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.isfile(one) and os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def _finite(value: Json) -> Json:
    """Replace numbers that JSON has no way to write."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(item) for item in value]
    return value
