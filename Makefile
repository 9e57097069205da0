# Two commands matter: `make run` and `make test`. Each sets up what it needs, but for a C++ compiler (g++), which
# `make test` and `make bench-report` use to build bench/limit.cpp.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup run test lint bench bench-report docs clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)

run: setup
	$(BIN)/croupier check

test: lint
	$(BIN)/pytest -n 2

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: setup
	$(BIN)/python -m bench

# Against C++ and other packages: needs g++ and a package index.
bench-report: setup
	$(BIN)/python -m bench.report

docs: setup
	$(BIN)/python -m croupier.reports docs

clean:
	rm -rf .venv .venv-peers
