"""Files of other programs are refused with what converts them."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

from concordant.errors import FileError, Message, Setting, Wordings
from concordant.wording import called

_WORKBOOK = (
    'an Excel workbook: save the sheet as CSV, or python -c "import pandas as pd; '
    "pd.read_excel('{name}').to_csv('{stem}.csv', index=False)\""
)
_SHEET = "a spreadsheet: save the sheet as CSV"
_R = "R's own format: save it by write.csv"
_MATLAB = "MATLAB's own format: save it by writematrix as CSV"
_PICKLE = "pickled Python objects, which are never loaded: save it by numpy.save"
_HDF5 = "an HDF5 file: save the array as .npy or CSV"
_ANNDATA = (
    'an AnnData file: python -c "import anndata; '
    "anndata.read_h5ad('{name}').obs['leiden'].to_csv('{stem}.csv')\" writes the "
    "labels called leiden"
)
_BY_SUFFIX = {
    **dict.fromkeys((".xlsx", ".xlsm", ".xls"), _WORKBOOK),
    **dict.fromkeys((".ods", ".numbers"), _SHEET),
    **dict.fromkeys((".rds", ".rda", ".rdata"), _R),
    ".mat": _MATLAB,
    **dict.fromkeys((".pkl", ".pickle", ".joblib"), _PICKLE),
    **dict.fromkeys((".h5", ".hdf5"), _HDF5),
    ".h5ad": _ANNDATA,
    ".sav": "an SPSS file: save it as CSV",
    ".dta": "a Stata file: save it as CSV",
    ".json": "JSON: save it as CSV",
}
_BY_FIRST_BYTES = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _WORKBOOK,
    b"\x89HDF\r\n\x1a\n": _HDF5,
    b"MATLAB 5.0 MAT-file": _MATLAB,
    b"RDX2\n": _R,
    b"RDX3\n": _R,
    b"X\n\x00\x00\x00": _R,
    b"%PDF-": "a PDF: save the table as CSV",
}
_FAM = re.compile(r"\S+\s+\S+\s+\S+\s+\S+\s+[012]\s+(-9|NA|[012]|-?\d+\.\d+)\s*$")


def refuse_foreign_name(path: Path, source: str) -> None:
    """Refuse a file of another program, known by the end of its name."""
    _refuse(_BY_SUFFIX.get(path.suffix.casefold(), ""), path, source)


def refuse_foreign(path: Path, stream: io.BufferedReader, source: str) -> None:
    """Refuse a file of another program, known by its first bytes."""
    start = stream.peek(32)
    if start.startswith(b"PK\x03\x04") and path.suffix.casefold() != ".npz":
        start = stream.peek(1 << 16)
        if b"[Content_Types].xml" in start or b"xl/workbook" in start:
            _refuse(_WORKBOOK, path, source)
        if b"opendocument" in start:
            _refuse(_SHEET, path, source)
        if b".npy" not in start:
            _refuse("a zip archive: unpack it first", path, source)
    for magic, what in _BY_FIRST_BYTES.items():
        if start.startswith(magic):
            _refuse(what, path, source)


def _refuse(what: str, path: Path, source: str) -> None:
    if what:
        name, stem = (called(part)[:40] for part in (path.name, path.stem))
        raise FileError(f"{source}: {what.format(name=name, stem=stem)}")


def refuse_foreign_text(sample: Sequence[str], source: str) -> None:
    """Refuse a text file of another program, known by its first lines."""
    lines = [line for line in sample if line.strip()]
    first = lines[0].strip() if lines else ""
    if first.startswith("Estimated Clustering Probabilities"):
        k = sum(line.count("***Cluster") for line in sample[:3])
        cells = ",".join(f"${j}" for j in range(2, k + 2))
        raise FileError(
            f"{source}: a file of TESS: awk -F'\\t' '/^[0-9]+:/{{print {cells}}}' "
            f"{source} > {source}.Q converts it"
        )
    if any(line.startswith("RESULTS OF ADMIXTURE ANALYSIS") for line in sample[:5]):
        raise FileError(
            f"{source}: a file of BAPS: sed -n 's/^[0-9]*:\\(.*\\):.*/\\1/p' {source} "
            f"> {source}.Q converts it"
        )
    if first.startswith("Using the parameter settings in the file"):
        raise FileError(
            f"{source}: CLUMPP's report of its settings, without memberships; its "
            "OUTFILE holds them"
        )
    if len(lines) > 1 and all(map(_FAM.match, lines)):
        raise FileError(
            f"{source}: PLINK's list of individuals, without memberships; ",
            Wordings(
                Message("read the .Q file with ", Setting("ids", source)),
                f"--ids {source} gives the individuals of a .Q file their names",
            ),
        )
