"""Whatever the bytes of a file are, it is read or refused in one line."""

import io

import numpy as np
import pandas as pd
import pytest

from concordant import Partition
from concordant.files import FileError, read_partition

INPUTS = 10_000

MEMBERSHIPS = np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], size=8)
IDS = [f"object {i}" for i in range(8)]
FRAME = pd.DataFrame(
    MEMBERSHIPS, columns=["x", "y", "z"], index=pd.Index(IDS, name="id")
)
LABELS = pd.DataFrame({"id": IDS, "label": pd.Categorical([*"abcabcab"])})

TOKENS = [
    *(b'"', b",", b";", b"\t", b"\r", b"\n", b"\r\n", b"\0", b"-", b".", b"_"),
    *(b"nan", b"inf", b"1e999", b"-1", b"9" * 400, b"id", b"label", b"x" * 140_000),
    *(b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xff\xff\xff\xff", b"\x7f" * 8),
    *(b"(", b")", b"'", b"|O", b"<U9", b">f2", b"<c16", b"True", b"L", b"PK\x01\x02"),
    "\u2028\u202e\u0661😀".encode(),
]


def saved(write, *args, **options):
    stream = io.BytesIO()
    write(stream, *args, **options)
    return stream.getvalue()


SEEDS = [
    ("csv", FRAME.to_csv().encode()),
    ("csv", FRAME.to_csv(index=False, header=False).encode()),
    ("csv", FRAME.to_csv(sep=";", decimal=",", lineterminator="\r\n").encode()),
    ("csv", LABELS.to_csv(index=False).encode()),
    ("csv", b"0\n1\n-1\n2\n1\n"),
    ("tsv", FRAME.to_csv(sep="\t").encode()),
    ("tsv", LABELS.to_csv(sep="\t", index=False, quoting=1).encode()),
    ("npy", saved(np.save, MEMBERSHIPS)),
    ("npy", saved(np.save, np.array([0, 1, -1, 1]))),
    ("npy", saved(np.save, np.array(IDS))),
    ("npz", saved(np.savez, P=MEMBERSHIPS, ids=np.array(IDS))),
    ("npz", saved(np.savez_compressed, P=MEMBERSHIPS)),
    ("parquet", saved(FRAME.to_parquet)),
    ("parquet", saved(LABELS.to_parquet)),
    ("feather", saved(FRAME.reset_index().to_feather)),
    ("feather", saved(LABELS.to_feather)),
]


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


# Some hold the label -1, and nothing is said of noise.
pytestmark = pytest.mark.filterwarnings("ignore::concordant.NoiseLabelWarning")


def test_the_seeds_are_read(tmp_path):
    for number, (suffix, data) in enumerate(SEEDS):
        path = tmp_path / f"{number}.{suffix}"
        path.write_bytes(data)
        assert isinstance(read_partition(path), Partition)


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_a_mutated_file_is_read_or_refused_in_one_line(tmp_path, seed):
    suffix, data = SEEDS[seed]
    rng = np.random.default_rng(seed)
    path = tmp_path / f"P.{suffix}"
    refused = 0
    for _ in range(INPUTS // len(SEEDS)):
        path.write_bytes(mutated(data, rng))
        try:
            assert isinstance(read_partition(path), Partition)
        except FileError as error:
            refused += 1
            message = str(error)
            assert message.startswith(str(path))
            assert message.isprintable()
            assert len(message) < len(str(path)) + 250
    assert refused > 0
