"""Hypothesis repeats its examples, at any speed; pictures know nothing of pyplot."""

import sys

import pytest
from hypothesis import HealthCheck, settings

for _name, _examples in (("repeatable", 100), ("thorough", 400)):
    settings.register_profile(
        _name,
        derandomize=True,
        deadline=None,
        max_examples=_examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _without_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide pyplot, which clusim and genieclust import, and with it its open figures."""
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
