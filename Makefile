# A fresh clone needs Python 3.11 or newer and make; each target sets up .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
SECONDS ?= 60
# The tests that reach compiled code.
KERNEL_TESTS := $(addprefix tests/test_,kernels.py algorithms.py reference.py laws.py \
	edge_cases.py by_chance.py groups.py streams.py attack.py intervals.py local.py)

.PHONY: demo test test-long fuzz coverage boundscheck attack coverage-of-samples coverage-of-tests \
	coverage-of-intervals coverage-of-groups lint types stub bench bench-cluster tables docs dist \
	versions sdist-test clean

demo: $(READY)
	$(BIN)/python examples/demo.py

# The processes fill the cores: threads of BLAS and OpenMP would wait for each other, which
# takes as much time again. Tests of boundscheck and test-long run with them.
# Bytecode is kept, whatever the environment says: hundreds of tests start a Python.
test: export PYTHONDONTWRITEBYTECODE =
test: export OPENBLAS_NUM_THREADS = 1
test: export OMP_NUM_THREADS = 1
test: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not long"

# What takes long: kernels compiled anew for the plainest CPU and not compiled at all, the
# studies of the paper, simulations, work that is killed at random moments, and laws and
# definitions for many more partitions.
test-long: export PYTHONDONTWRITEBYTECODE =
test-long: export OPENBLAS_NUM_THREADS = 1
test-long: export OMP_NUM_THREADS = 1
test-long: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m long tests
	$(BIN)/python -m pytest -n 3 --dist worksteal --hypothesis-profile=thorough $(addprefix tests/test_,laws.py streams.py)

fuzz: $(READY)
	$(BIN)/python tests/fuzz_files.py 20000

coverage: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal --cov --cov-report=term:skip-covered

# Kernels once more, with every index compared with the size of its array. Machine code
# that checks has a folder of its own: Numba's cache does not tell the two apart.
# What is seen: an index, signed or not, read or written, in one dimension or several,
# that is not below the size of the array or of the view it is used on, and one below
# minus the size. What is not: -1 to minus the size, which wrap around as in NumPy, the
# ends of a slice, which are cut to the array, and a wrong place inside it.
boundscheck: export NUMBA_BOUNDSCHECK = 1
boundscheck: export NUMBA_CACHE_DIR = $(CURDIR)/.boundscheck
boundscheck: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(KERNEL_TESTS)
	$(BIN)/python tests/attack.py --seconds 60 --seed 1000

# As long as one likes: make attack SECONDS=1800; a seed that it prints: make attack
# SEED=4711 CASES=1.
attack: $(READY)
	$(BIN)/python tests/attack.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini

# The public names for type checkers, after a change of them.
stub: $(READY)
	$(BIN)/python .ci/stub.py

bench: $(READY)
	$(BIN)/python -m benchmarks

bench-cluster: $(READY)
	$(BIN)/python -m benchmarks distribution

coverage-of-samples: $(READY)
	$(BIN)/python tests/coverage_of_samples.py --jobs 2

# About an hour on a core.
coverage-of-intervals: $(READY)
	$(BIN)/python tests/coverage_of_intervals.py --jobs 2

coverage-of-groups: $(READY)
	$(BIN)/python tests/coverage_of_groups.py --jobs 2

coverage-of-tests: $(READY)
	$(BIN)/python tests/coverage_of_tests.py --jobs 2

# The tables of the pages that follow from the catalogue or are computed, and the schemas.
tables: $(READY)
	$(BIN)/python -m docs.tables

docs: $(READY)
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

# The wheel is made from the source distribution, so that nothing is missing there.
dist: export PIP_CONSTRAINT = constraints.txt
dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

# The wheel on every supported Python that is found, and with the lowest versions of
# what it needs that pyproject.toml allows.
versions: dist
	$(BIN)/python .ci/versions.py dist/*.whl

# What the source distribution unpacks to is enough for what README tells to run. The
# environment is that of this folder, the package that of the other.
sdist-test: dist
	rm -rf build/sdist && mkdir -p build/sdist
	tar -xzf dist/*.tar.gz -C build/sdist --strip-components=1
	ln -s $(CURDIR)/.venv build/sdist/.venv
	PYTHONPATH=$(CURDIR)/build/sdist/src $(MAKE) -C build/sdist demo
	$(MAKE) -C build/sdist --dry-run test docs bench

clean:
	rm -rf .venv build dist docs/_build docs/api/generated docs/gallery .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .boundscheck

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "concordant needs Python 3.11 or newer; set PYTHON=...")'
	@echo "Setting up .venv with what is needed to run, test and build: a minute or more, once."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)
