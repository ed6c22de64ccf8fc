"""
Read mutated files: no traceback, no hang, little memory.

    python tests/fuzz_files.py 20000

prints how many were read and refused, the slowest, and the most memory it took.
"""

import contextlib
import io
import resource
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from files_of_programs import CASES
from scipy import sparse

from concordant import Partition
from concordant.files import FileError, read_partition

MEMBERSHIPS = np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], size=8)
IDS = [f"object {i}" for i in range(8)]
FRAME = pd.DataFrame(
    MEMBERSHIPS, columns=["x", "y", "z"], index=pd.Index(IDS, name="id")
)
LABELS = pd.DataFrame({"id": IDS, "label": pd.Categorical([*"abcabcab"])})

TOKENS = [
    *(b'"', b",", b";", b"\t", b"\r", b"\n", b"\r\n", b"\0", b"-", b".", b"_", b"%"),
    *(b"nan", b"inf", b"1e999", b"-1", b"9" * 400, b"id", b"label", b"x" * 140_000),
    *(b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xff\xff\xff\xff", b"\x7f" * 8),
    *(b"(", b")", b"'", b"|O", b"<U9", b">f2", b"<c16", b"True", b"L", b"PK\x01\x02"),
    *(b" ", b"|", b"NA", b"# ", b"@data\n", b"sep=;\n", b"0", b"1", b'""', b"\xff\xfe"),
    *(b"\x1f\x8b\x08", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"0,5", b"7%"),
    "\u2028\u202e\u0661😀".encode(),
]
LIMIT = 500 << 20  # bytes
SECONDS = 20  # in which a file must be read or refused


def saved(write, *args, **options):
    stream = io.BytesIO()
    write(stream, *args, **options)
    return stream.getvalue()


ROWS = [" ".join(f"{x:.3f}" for x in row) for row in MEMBERSHIPS]
PEOPLE = "".join(f"{i + 1} p{i} (0) 1 : {row}\n" for i, row in enumerate(ROWS))
POPULATIONS = "".join(f"{i + 1}: {row} 1\n" for i, row in enumerate(ROWS))
TOPICS = "".join(
    f"{i}\td{i}\t" + row.replace(" ", "\t") + "\n" for i, row in enumerate(ROWS)
)

SEEDS = [
    ("out_f", f"Inferred ancestry of individuals:\nLabel\n{PEOPLE}\n".encode()),
    ("indivq", PEOPLE.encode()),
    ("popq", POPULATIONS.encode()),
    ("txt", TOPICS.encode()),
    ("csv", FRAME.to_csv().encode()),
    ("csv", FRAME.to_csv(index=False, header=False).encode()),
    ("csv", FRAME.to_csv(sep=";", decimal=",", lineterminator="\r\n").encode()),
    ("csv", LABELS.to_csv(index=False).encode()),
    ("csv", b"1\n0\n-2\n2\n1\n"),
    ("tsv", FRAME.to_csv(sep="\t").encode()),
    ("tsv", LABELS.to_csv(sep="\t", index=False, quoting=1).encode()),
    ("npy", saved(np.save, MEMBERSHIPS)),
    ("npy", saved(np.save, np.array([0, 1, -2, 1]))),
    ("npy", saved(np.save, np.array([*"abcabcab"]))),
    ("npz", saved(np.savez, P=MEMBERSHIPS, ids=np.array(IDS))),
    ("npz", saved(np.savez_compressed, P=MEMBERSHIPS)),
    ("npz", saved(sparse.save_npz, sparse.csr_matrix(MEMBERSHIPS))),
    ("parquet", saved(FRAME.to_parquet)),
    ("parquet", saved(LABELS.to_parquet)),
    ("feather", saved(FRAME.reset_index().to_feather)),
    ("feather", saved(LABELS.to_feather)),
]
#: Suffix and content of all files that are mutated.
ALL = SEEDS + [(case.name.partition(".")[2], case.content) for case in CASES.values()]


def mutated(data, rng):
    """Change one to four things, of which most are small."""
    changed = bytearray(data)
    for _ in range(rng.integers(1, 5)):
        at, other = (int(i) for i in rng.integers(0, len(changed) + 1, size=2))
        low, high = min(at, other), max(at, other)
        match rng.integers(7):
            case 0 if at < len(changed):
                changed[at] ^= 1 << int(rng.integers(8))
            case 1 if at < len(changed):
                changed[at] = int(rng.integers(256))
            case 2:
                del changed[at : at + int(rng.integers(1, 9))]
            case 3:
                token = TOKENS[int(rng.integers(len(TOKENS)))]
                changed[at:at] = token
            case 4:
                token = TOKENS[int(rng.integers(len(TOKENS)))]
                changed[at : at + len(token)] = token
            case 5:
                del changed[low:high]
            case 6:
                changed[at:at] = changed[low:high]
    return bytes(changed)


def options_for(rng):
    """Draw what may be said about a file: mostly nothing."""
    if rng.random() < 0.6:
        return {}
    choices = [
        {"missing": "drop"},
        {"labels_as_text": True},
        {"transpose": True},
        {"normalize": True},
        {"column": 1},
        {"column": "x"},
        {"columns": [1, 2]},
        {"header": True},
        {"header": False},
        {"skip": int(rng.integers(1, 8))},
        {"delimiter": ["none", "space", ";", "tab"][int(rng.integers(4))]},
        {"encoding": ["cp1252", "utf-16", "latin-1"][int(rng.integers(3))]},
        {"id_column": [0, 1, "id"][int(rng.integers(3))]},
    ]
    first, second = rng.integers(len(choices), size=2)
    return choices[first] | choices[second]


def check(path, **options):
    """Read a file, and tell whether it was refused as it must be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            assert isinstance(read_partition(path, **options), Partition)
        except FileError as error:
            message = str(error)
            assert message.startswith(str(path)), message
            assert message.isprintable(), message
            assert len(message) < len(str(path)) + 400, message
            return True
    return False


def main(inputs):
    rng = np.random.default_rng(int(time.time()))
    slowest, refused = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(inputs):
            suffix, data = ALL[number % len(ALL)]
            path = Path(folder, f"P.{suffix}")
            path.write_bytes(mutated(data, rng))
            options = options_for(rng)
            signal.alarm(SECONDS)
            start = time.perf_counter()
            try:
                refused += check(path, **options)
            except BaseException:
                kept = Path(tempfile.gettempdir(), f"faulty.{suffix}")
                with contextlib.suppress(OSError):
                    kept.write_bytes(path.read_bytes())
                print(f"{kept} with {options}", file=sys.stderr)
                raise
            slowest = max(slowest, time.perf_counter() - start)
            signal.alarm(0)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    print(
        f"{inputs} files: {inputs - refused} read, {refused} refused; slowest "
        f"{slowest:.2f} s, at most {memory >> 20} MB"
    )
    assert memory <= LIMIT


if __name__ == "__main__":
    main(int(sys.argv[1]))
