# A fresh clone needs Python 3.11 or newer and make; each target sets up .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test fuzz coverage lint types bench bench-cluster docs clean

demo: $(READY)
	$(BIN)/python examples/demo.py

test: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal

fuzz: $(READY)
	$(BIN)/python tests/fuzz_files.py 20000

coverage: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal --cov --cov-report=term:skip-covered

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

bench-cluster: $(READY)
	$(BIN)/python -m benchmarks distribution

docs: $(READY)
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf .venv build dist docs/_build docs/api/generated docs/gallery .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "concordant needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)
