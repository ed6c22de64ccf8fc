"""Formulas that turn terms into results."""
