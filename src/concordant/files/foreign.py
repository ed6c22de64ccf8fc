"""Files of other programs are refused with what to do about them."""

import io
from pathlib import Path

from concordant.storage.file_error import FileError

_BY_SUFFIX = {
    ".xlsx": "an Excel workbook: save the sheet as CSV",
    ".xlsm": "an Excel workbook: save the sheet as CSV",
    ".xls": "an Excel workbook: save the sheet as CSV",
    ".ods": "a spreadsheet: save the sheet as CSV",
    ".numbers": "a spreadsheet: save the sheet as CSV",
    ".rds": "R's own format: save it by write.csv",
    ".rda": "R's own format: save it by write.csv",
    ".rdata": "R's own format: save it by write.csv",
    ".mat": "MATLAB's own format: save it by writematrix as CSV",
    ".pkl": "pickled Python objects, which are never loaded: save it by numpy.save",
    ".pickle": "pickled Python objects, which are never loaded: save it by numpy.save",
    ".joblib": "pickled Python objects, which are never loaded: save it by numpy.save",
    ".h5": "an HDF5 file: save the array as .npy or CSV",
    ".hdf5": "an HDF5 file: save the array as .npy or CSV",
    ".sav": "an SPSS file: save it as CSV",
    ".dta": "a Stata file: save it as CSV",
    ".json": "JSON: save it as CSV",
}
_BY_FIRST_BYTES = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _BY_SUFFIX[".xls"],
    b"\x89HDF\r\n\x1a\n": _BY_SUFFIX[".h5"],
    b"MATLAB 5.0 MAT-file": _BY_SUFFIX[".mat"],
    b"RDX2\n": _BY_SUFFIX[".rds"],
    b"RDX3\n": _BY_SUFFIX[".rds"],
    b"X\n\x00\x00\x00": _BY_SUFFIX[".rds"],
    b"%PDF-": "a PDF: save the table as CSV",
}


def refuse_foreign(path: str | Path, stream: io.BufferedReader, source: str) -> None:
    """
    Refuse a file that another program can save in a better form.

    Parameters
    ----------
    path : str or Path
        Where it is.
    stream : io.BufferedReader
        Its content, expanded if it was compressed.
    source : str
        What messages call it.

    Raises
    ------
    FileError
        If it is one, by its first bytes.
    """
    start = stream.peek(32)
    if start.startswith(b"PK\x03\x04") and Path(path).suffix.casefold() != ".npz":
        _refuse_archive(stream, source)
        return
    for magic, what in _BY_FIRST_BYTES.items():
        if start.startswith(magic):
            raise FileError(f"{source}: {what}")


def refuse_foreign_name(path: str | Path, source: str) -> None:
    """
    Do so by the end of its name.

    Parameters
    ----------
    path : str or Path
        Where it is.
    source : str
        What messages call it.

    Raises
    ------
    FileError
        If it is one.
    """
    what = _BY_SUFFIX.get(Path(path).suffix.casefold(), "")
    if what:
        raise FileError(f"{source}: {what}")


def _refuse_archive(stream: io.BufferedReader, source: str) -> None:
    """Refuse zip archives that are not of NumPy: workbooks are some."""
    start = stream.peek(1 << 16)
    if b"[Content_Types].xml" in start or b"xl/workbook" in start:
        raise FileError(f"{source}: {_BY_SUFFIX['.xlsx']}")
    if b"opendocument" in start:
        raise FileError(f"{source}: {_BY_SUFFIX['.ods']}")
    if b".npy" not in start:
        raise FileError(f"{source}: a zip archive: unpack it first")
