"""Hypothesis draws the same examples in every run, unless new ones are asked for."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
