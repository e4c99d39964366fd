# Two commands do everything: `make play` and `make test`. Each sets up what it needs and says so.
.PHONY: help play test quick lint types unit page-unit page chromium postgresql haproxy pgbouncer play-cluster soak-cluster scale mutants audit lock bench bench-live landing soak attack docs wheel release tag setup clean
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
READY := .venv/.ready
PAGE := src/astragal/serve/page/index.html
NODE_READY := page/node_modules/.package-lock.json
SCHEMA := page/openapi.json
TYPES := page/src/api/schema.d.ts
NODE_FITS := node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null
# The system's Node if it is new enough; otherwise one that pip brings into .venv.
WITH_NODE := PATH="$$($(NODE_FITS) && echo "$$PATH" || echo "$(CURDIR)/.venv/bin:$$PATH")"

help:
	@echo "make play        the live table: prints the address to open (in a terminal: $(BIN)/astragal play)"
	@echo "make play-cluster  the live table on PostgreSQL, three servers and a load balancer"
	@echo "make test        lint, types, tests and browser tests: everything that CI runs"
	@echo "make quick       engine, table and command line in a minute, without a browser or a database"
	@echo "make bench       speed, as ratios to peers measured in the same run"
	@echo "make bench-live  the server's speed, as ratios to a bare one"
	@echo "make landing     how far apart a verdict appears on four seats; written into docs/page.md"
	@echo "make soak        the long tests of what must never happen; writes docs/reliability.md"
	@echo "make soak-cluster  the long tests of a cluster only; writes their rows of docs/reliability.md"
	@echo "make scale       the plan for a million tables; measures, simulates a week, writes docs/scale.md"
	@echo "make attack      an attack on a server of our own; writes its figures into docs/reliability.md"
	@echo "make mutants     break promises one by one: the tests must notice"
	@echo "make audit       known vulnerabilities of what is pinned, where the network allows"
	@echo "make lock        the lock files with hashes, made anew from constraints.txt"
	@echo "make docs        the docs' console output and pictures, made anew"
	@echo "make wheel       the package, with the page inside"
	@echo "make release     set the version and date the changelog: make release VERSION=1.2.3"
	@echo "make tag         tag the release that was committed"
	@echo "make clean       remove the virtual environment, the page and caches"

play: setup page
	@echo "Starting the live table. In a terminal instead: $(BIN)/astragal play"
	@$(BIN)/astragal serve

play-cluster: setup page postgresql haproxy
	@$(BIN)/python -m tools.cluster

test: setup page chromium postgresql haproxy pgbouncer lint types page-unit unit

quick: setup
	@echo "Checking the engine, the table and the command line …"
	@$(BIN)/ruff check .
	@PYTHONDONTWRITEBYTECODE= $(BIN)/pytest tests/dice tests/notation tests/rule tests/games tests/written tests/table tests/cli \
		--numprocesses auto --dist loadfile -m "not slow and not system"

lint: $(TYPES)
	@echo "Checking style …"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@cd page && $(WITH_NODE) npm run --silent lint

types:
	@echo "Checking types …"
	@$(BIN)/mypy

page-unit: $(TYPES)
	@echo "Running the page's own tests …"
	@cd page && $(WITH_NODE) npm run --silent test

unit:
	@echo "Running the tests, on every core …"
	@# How many processes there are, and which file each takes next: tests/workers.py.
	@# Byte code is kept, since pytest would rewrite the assertions of all tests in every process of every run.
	@PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses auto --dist loadfile

page: $(PAGE)

$(PAGE): $(TYPES) page/index.html page/vite.config.ts page/tsconfig.json $(shell find page/src page/public -type f 2>/dev/null)
	@echo "Building the page …"
	@cd page && $(WITH_NODE) npm run --silent build

$(NODE_READY): page/package-lock.json page/package.json | $(READY)
	@$(NODE_FITS) || { echo "No Node.js 20.19 or newer here: bringing one into .venv …"; $(PIP) install --require-hashes --requirement requirements-node.lock; }
	@echo "Fetching what the page is built with (npm packages) …"
	@# npm ci checks that the lockfile is complete, and every file against its hash. It wants the parts for every other
	@# platform too, which not every registry has; npm install checks the same hashes of what it does install.
	@cd page && $(WITH_NODE) npm ci --silent --ignore-scripts --no-audit --no-fund 2>/dev/null \
		|| $(WITH_NODE) npm install --silent --ignore-scripts --no-save --no-audit --no-fund
	@touch $@

# The page's types come from the server's description of itself. Both are written again only if they have changed.
$(SCHEMA).checked: $(shell find src/astragal -name '*.py') | $(READY)
	@$(BIN)/python -m astragal.serve.api.docs > $(SCHEMA).new
	@cmp --quiet $(SCHEMA).new $(SCHEMA) || cp $(SCHEMA).new $(SCHEMA)
	@rm $(SCHEMA).new && touch $@

$(SCHEMA): $(SCHEMA).checked ;

$(TYPES): $(SCHEMA) $(NODE_READY)
	@cd page && $(WITH_NODE) npm run --silent types
	@touch $@

chromium:
	@command -v chromium >/dev/null || { echo "Installing Chromium for the browser tests (a Debian package) …"; \
		{ apt-get install -qq -y chromium || { apt-get update -qq && apt-get install -qq -y chromium; }; } >/dev/null 2>&1 \
		|| echo "Chromium could not be installed here."; }
	@# Its headless shell takes a seventh less time in the browser tests; without it they use Chromium itself.
	@command -v chromium-headless-shell >/dev/null || timeout 60 apt-get install -qq -y chromium-headless-shell >/dev/null 2>&1 || true

postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { echo "Installing PostgreSQL for the tests (a Debian package) …"; \
		{ apt-get install -qq -y postgresql || { apt-get update -qq && apt-get install -qq -y postgresql; }; } >/dev/null 2>&1 \
		|| echo "PostgreSQL could not be installed here."; }

haproxy:
	@command -v haproxy >/dev/null || test -x /usr/sbin/haproxy || { echo "Installing HAProxy for clusters (a Debian package) …"; \
		{ apt-get install -qq -y haproxy || { apt-get update -qq && apt-get install -qq -y haproxy; }; } >/dev/null 2>&1 \
		|| echo "HAProxy could not be installed here."; }

pgbouncer:
	@command -v pgbouncer >/dev/null || test -x /usr/sbin/pgbouncer || { echo "Installing PgBouncer for clusters (a Debian package) …"; \
		{ apt-get install -qq -y pgbouncer || { apt-get update -qq && apt-get install -qq -y pgbouncer; }; } >/dev/null 2>&1 \
		|| echo "PgBouncer could not be installed here."; }

wheel: setup page
	@echo "Building the package …"
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	@$(BIN)/python -m tools.sbom "dist/astragal-$$($(BIN)/python -c 'import astragal; print(astragal.__version__)').cdx.json" dist/runtime.lock

mutants: setup
	@echo "Breaking one promise after the other; this takes about twenty minutes …"
	@$(BIN)/python -m tools.mutants

audit: setup
	@echo "Asking for known vulnerabilities of what is pinned, where the network allows …"
	@$(BIN)/python -m tools.vulnerabilities

lock: setup
	@$(BIN)/python -m tools.lock

release: setup
	@$(BIN)/python -m tools.release prepare "$(VERSION)"

tag: setup
	@$(BIN)/python -m tools.release tag

soak: setup page chromium postgresql haproxy pgbouncer
	@nice $(BIN)/python -m tests.soak

soak-cluster: setup page chromium postgresql haproxy pgbouncer
	@nice $(BIN)/python -m tests.soak cluster

scale: setup postgresql
	@echo "Measuring and simulating; this takes about a minute …"
	@$(BIN)/python -m bench.scale

bench: setup
	@echo "Measuring; this takes about two minutes, and the machine should have nothing else to do …"
	@$(BIN)/python -m bench.write

bench-live: setup postgresql
	@echo "Measuring the server; this takes about five minutes …"
	@$(BIN)/python -m bench.live

landing: setup page chromium
	@echo "Measuring when verdicts appear; this takes about a minute …"
	@$(BIN)/python -m bench.landing

attack: setup page
	@echo "Attacking a server of our own; this takes about eight minutes …"
	@$(BIN)/python -m bench.attack --write

docs: setup
	@echo "Writing what the commands of the docs print today …"
	@$(BIN)/python docs/fill.py
	@$(BIN)/python -m tests.serve.chat_examples
	@$(BIN)/python docs/images/make_terminal.py
	@$(BIN)/python docs/images/make_gallery.py

setup: $(READY)
	@# Byte code is kept even where the environment says not to write any, so that commands start fast.
	@$(BIN)/python -m compileall -q src

$(READY): pyproject.toml requirements.lock
	@echo "Setting up .venv (Python packages by pip; about a minute the first time) …"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv || { echo "No venv module: asking Debian for it …"; apt-get install -qq -y python3-venv && $(PYTHON) -m venv .venv; }
	@$(PIP) install --require-hashes --requirement requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $(READY)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist page/node_modules src/astragal/serve/page $(TYPES) $(SCHEMA)*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
