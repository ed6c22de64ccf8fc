"""Hypothesis repeats its examples, and pictures know nothing of pyplot."""

import sys

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _without_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide pyplot, which clusim and genieclust import, and with it its open figures."""
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
