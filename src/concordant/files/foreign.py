"""Files of other programs are refused with what converts them."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

from concordant.errors import FileError, Setting
from concordant.wording import called

_WORKBOOK = (
    'an Excel workbook: save the sheet as CSV, or python -c "import pandas as pd; '
    "pd.read_excel('{name}').to_csv('{stem}.csv', index=False)\""
)
_SHEET = "a spreadsheet: save the sheet as CSV"
_R = "R's own format: save it with write.csv"
_MATLAB = "MATLAB's own format: save it as CSV with writematrix"
_HDF5 = "an HDF5 file: save the array as .npy or CSV"
_BY_SUFFIX = {
    ".xlsx .xlsm .xls": _WORKBOOK,
    ".ods .numbers": _SHEET,
    ".rds .rda .rdata": _R,
    ".mat": _MATLAB,
    ".pkl .pickle .joblib": "pickled Python objects, which are never loaded: save it "
    "with numpy.save",
    ".h5 .hdf5": _HDF5,
    ".h5ad": 'an AnnData file: python -c "import anndata; '
    "anndata.read_h5ad('{name}').obs['leiden'].to_csv('{stem}.csv')\" writes the "
    "labels called leiden",
    ".sav .dta .json .sas7bdat": "a file of another program: save it as CSV",
}
_BY_FIRST_BYTES = {
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _WORKBOOK,
    rb"PK\x03\x04(?s:.)*(\[Content_Types\]\.xml|xl/workbook)": _WORKBOOK,
    rb"PK\x03\x04(?s:.)*opendocument": _SHEET,
    rb"PK\x03\x04(?!(?s:.)*\.npy)": "a zip archive: unpack it first",
    rb"\x89HDF\r\n\x1a\n": _HDF5,
    rb"MATLAB 5\.0 MAT-file": _MATLAB,
    rb"RDX[23]\n|X\n\x00\x00\x00": _R,
    rb"%PDF-": "a PDF: save the table as CSV",
}
_RULE = r"(?=[^\n]*(?:---|──|===))[-─=+|:├┼┤ ]+\s*(?:\n|$)"
_BY_FIRST_LINES = {
    r"Using the parameter settings in the file": "CLUMPP's report of its settings, "
    "without memberships; its OUTFILE holds them",
    r"%%MatrixMarket": "a Matrix Market file: save scipy.io.mmread(...).toarray() "
    "with numpy.save",
    r"\{|\[[\[({\"']": "a list as JSON or Python writes it: save it as CSV",
    r"Estimated Clustering Probabilities": "a file of TESS: awk -F'\\t\\t' "
    "'/^[0-9]+:/{{sub(/^[0-9]+:\\t/,\"\");print $1}}' {source} > {source}.Q "
    "converts it",
    r"(?s:.)*RESULTS OF ADMIXTURE ANALYSIS": "a file of BAPS: sed -n "
    "'s/^[0-9]*:\\(.*\\):.*/\\1/p' {source} > {source}.Q converts it",
    rf"\+--|┌─|[^\n]*\n\s*{_RULE}": "a table formatted for display: save it as CSV, as "
    "psql --csv and sqlite3 -csv do, or with tabs, as mysql --batch does",
}
_FAM = re.compile(r"\S+\s+\S+\s+\S+\s+\S+\s+[012]\s+(-9|NA|[012]|-?\d+\.\d+)\s*$")


def refuse_foreign(path: Path, stream: io.BufferedReader, source: str) -> None:
    """Refuse a file of another program, known by its name or its first bytes."""
    start, suffix = stream.peek(1 << 16), path.suffix.casefold()
    for suffixes, what in _BY_SUFFIX.items():
        if suffix in suffixes.split():
            raise _refusal(what, path, source)
    for pattern, what in _BY_FIRST_BYTES.items():
        if suffix != ".npz" and re.match(pattern, start):
            raise _refusal(what, path, source)


def refuse_foreign_text(path: Path, sample: Sequence[str], source: str) -> None:
    """Refuse a text file of another program, known by its first lines."""
    head = "".join(sample[:5]).lstrip()
    for pattern, what in _BY_FIRST_LINES.items():
        if re.match(pattern, head):
            raise _refusal(what, path, source)
    lines = [line for line in sample if line.strip()]
    if len(lines) > 1 and all(map(_FAM.match, lines)):
        raise FileError(
            f"{source}: PLINK's list of individuals, without memberships; ",
            Setting("ids", source),
            " gives the individuals of a .Q file their names",
        )


def _refusal(what: str, path: Path, source: str) -> FileError:
    name, stem = (called(part)[:40] for part in (path.name, path.stem))
    return FileError(f"{source}: {what.format(name=name, stem=stem, source=source)}")
