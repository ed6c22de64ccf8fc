"""
What there is, declared once: families, statistics, indices and models of chance.

Everything that lists them reads it: the command line and its completion, headings,
documents and their schemas, the report, the documentation and the tests of laws. It
imports nothing but the standard library, and formulas are loaded when they are used.
"""
