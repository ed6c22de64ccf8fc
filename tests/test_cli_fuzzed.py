"""Whatever the bytes of its files are, a command answers or fails in one line."""

import numpy as np
import pytest
from command_line import run
from fuzz_files import SEEDS, mutated

INPUTS = 320


@pytest.mark.parametrize("seed", range(len(SEEDS)))
def test_a_mutated_file_gives_a_result_or_one_line(tmp_path, monkeypatch, seed):
    monkeypatch.chdir(tmp_path)
    suffix, data = SEEDS[seed]
    (tmp_path / f"P.{suffix}").write_bytes(data)
    rng = np.random.default_rng(1000 + seed)
    for number in range(INPUTS // len(SEEDS)):
        (tmp_path / f"Q.{suffix}").write_bytes(mutated(data, rng))
        words = [
            ["compare", f"P.{suffix}", f"Q.{suffix}", "--json"],
            ["agreement", f"Q.{suffix}", f"P.{suffix}", f"Q.{suffix}", "--csv"],
            ["compare", f"Q.{suffix}", f"Q.{suffix}"],
            ["cluster", f"Q.{suffix}", "--k", "2", "--starts", "1", "--max-iter", "9"],
        ][number % 4]
        result = run(*words, "--quiet")
        if result.exit_code == 0:
            assert result.stdout
            assert result.stderr == ""
            continue
        assert result.exit_code == 2
        assert result.stdout == ""
        (line,) = result.stderr.splitlines()
        assert line.startswith("concordant: ")
        assert line.isprintable()
