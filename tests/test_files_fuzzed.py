"""Whatever the bytes of a file are, it is read or refused in one line."""

import numpy as np
import pytest
from fuzz_files import ALL, SEEDS, check, mutated, options_for

from concordant import Partition
from concordant.files import read_partition

INPUTS = 6_000


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
        refused += check(path)
    assert refused > 0


def test_a_mutated_file_of_any_program_is_read_or_refused_in_one_line(tmp_path):
    rng = np.random.default_rng(0)
    for suffix, data in ALL:
        path = tmp_path / f"P.{suffix}"
        for _ in range(12):
            path.write_bytes(mutated(data, rng))
            check(path, **options_for(rng))
