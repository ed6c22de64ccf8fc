"""Figures by Matplotlib, which only this sub-package imports."""
