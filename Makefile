# Two commands do everything: `make play` and `make test`. Each sets up what it needs and says so.
.PHONY: help play test lint types unit soak bench docs setup clean
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

help:
	@echo "make play    a guided roll in the terminal"
	@echo "make test    lint, types and tests: everything that CI runs"
	@echo "make soak    the long tests at their full length, and docs/reliability.md"
	@echo "make bench   speed, as ratios to peers measured in the same run"
	@echo "make docs    the docs' console output and pictures, made anew"
	@echo "make clean   remove the virtual environment and caches"

play: setup
	@echo "Starting a guided roll. Later: $(BIN)/astragal --help"
	@$(BIN)/astragal play

test: setup lint types unit

lint:
	@echo "Checking style …"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types:
	@echo "Checking types …"
	@$(BIN)/mypy

unit:
	@echo "Running the tests …"
	@$(BIN)/pytest

soak: setup
	@nice $(BIN)/python -m tests.soak

bench: setup
	@echo "Measuring; this takes about two minutes, and the machine should have nothing else to do …"
	@$(BIN)/python -m bench.write

docs: setup
	@echo "Writing what the commands of the docs print today …"
	@$(BIN)/python docs/fill.py
	@$(BIN)/python docs/images/make_terminal.py
	@$(BIN)/python docs/images/make_gallery.py

setup: $(READY)
	@# Byte code is kept even where the environment says not to write any, so that commands start fast.
	@$(BIN)/python -m compileall -q src

$(READY): pyproject.toml constraints.txt
	@echo "Setting up .venv (Python packages by pip; about a minute the first time) …"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv || { echo "No venv module: asking Debian for it …"; apt-get install -qq -y python3-venv && $(PYTHON) -m venv .venv; }
	@PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $(READY)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
