# Two commands matter: `make run` and `make test`. Each sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
QUIET := --quiet --disable-pip-version-check

DOCS := $(shell find docs -type f) zensical.toml

.PHONY: setup handbook lock postgresql browser compiler run check test coverage soak lint bench bench-report screens docs clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install $(QUIET) --require-hashes --only-binary :all: -r constraints.txt
	$(BIN)/python -m pip install $(QUIET) --no-deps --no-build-isolation -e .
	$(BIN)/python -m pip uninstall $(QUIET) --yes setuptools
	touch $(READY)

# The documentation, which the server shows at /docs.
handbook: site/.built

site/.built: $(DOCS) | $(READY)
	$(BIN)/zensical build --clean --strict >/dev/null
	touch site/.built

# Pins every package, the builder and pip among them, to the files that were tried; newer ones by `make lock UPGRADE=--upgrade`.
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install $(QUIET) uv
	.venv-lock/bin/uv pip compile pyproject.toml --extra dev --group build --generate-hashes --universal \
		--python-version 3.11 --only-binary :all: --no-header --no-annotate $(UPGRADE) -o constraints.txt

# The tests start a PostgreSQL server of their own: of any initdb on the PATH, or of Debian's package.
postgresql:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		{ apt-get update -qq && apt-get install -y -qq postgresql; }

# The pages are tried in a real browser: any chromium on the PATH, or Debian's package.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		{ apt-get update -qq && apt-get install -y -qq chromium; }

# bench/limit.cpp is compiled and compared with.
compiler:
	@command -v $${CXX:-g++} >/dev/null || { apt-get update -qq && apt-get install -y -qq g++; }

# The demonstration floor in a browser, kept in demo.db between starts.
run: setup handbook
	$(BIN)/croupier serve --demo

# What a contributor runs before each commit.
check: lint handbook
	$(BIN)/pytest -n auto -m "not slow and not browser and not postgres and not kill and not soak"

# What compiles the same is run by one worker; the longest groups come first (`tests/conftest.py`).
test: lint handbook postgresql browser compiler
	$(BIN)/pytest -n 2 --no-loadscope-reorder

# What takes long without being sharper on every run; before an issue is closed, and before a release.
soak: setup handbook postgresql browser compiler
	$(BIN)/pytest -n 2 -m soak --junitxml=.soak.xml; status=$$?; $(BIN)/python -m bench.soak .soak.xml; exit $$status

# Branches of what computes and keeps money. Numba compiles nothing here: kernels run in plain Python, where they are seen,
# so tests of millions of rounds and of solved shoes are left out.
coverage: setup postgresql
	rm -rf .coverage && mkdir .coverage
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m "not slow and not browser and not kill and not soak"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --precision 1 --fail-under 95

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: setup postgresql browser
	$(BIN)/python -m bench

# Against C++ and other packages, which it installs apart.
bench-report: setup compiler
	$(BIN)/python -m bench.report

# Pictures for the README.
screens: setup browser
	$(BIN)/python -m tests.screens

# Pages made from data and from the program, strategies among them, and the site in site/. The site alone takes seconds:
# `.venv/bin/zensical build --strict`; all made pages but the strategies: `.venv/bin/python -m croupier.manual pages`.
docs: setup
	$(BIN)/python -m croupier.manual shipped pages bill notebooks strategies
	$(MAKE) handbook

clean:
	rm -rf .venv .venv-lock .venv-peers
