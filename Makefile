# Needs make and Python 3.11 or newer; everything else is fetched in the versions that are locked, into .tools, .venv and
# node_modules. Only the tests' browser is whichever there is: tests/browser/chromium.py.

UV_VERSION := 0.13.9

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.version_info < (3, 11) and sys.exit(1); print(sys.executable)' 2>/dev/null && break; done)
BIN := .venv/bin
UV := .tools/uv-$(UV_VERSION)/bin/uv
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm
NODE_MODULES := openapi/node_modules/.stamp examples/typescript/node_modules/.stamp web/node_modules/.stamp

export UV_COMPILE_BYTECODE := 1
export UV_PYTHON := $(PYTHON)
export UV_PYTHON_DOWNLOADS := never
unexport UV_PROJECT_ENVIRONMENT VIRTUAL_ENV
ifneq ($(shell test -w "$$HOME" && echo writable),writable)
export UV_CACHE_DIR := $(CURDIR)/.tools/cache
export npm_config_cache := $(CURDIR)/.tools/npm
endif

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

.PHONY: serve
serve: .venv/service.stamp ## run the service on port 8000: make serve ARGS="--port 9000 --workers 2"
	@$(BIN)/capicua serve $(ARGS)

.PHONY: test
test: .venv/dev.stamp $(NODE_MODULES) ## run all tests: make test ARGS="tests/api -k secret"
	@$(BIN)/python -m tests.browser.chromium
	$(BIN)/pytest $(ARGS)

.PHONY: check
check: .venv/dev.stamp $(NODE_MODULES) ## everything short of the tests that has to hold before a commit
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@echo "migrations: do they make the tables of the code?"
	@data=$$(mktemp -d) && trap 'rm -r "$$data"' EXIT && export CAPICUA_DATABASE_URL= CAPICUA_DATA_DIR="$$data" && \
		$(BIN)/capicua migrate && $(BIN)/alembic check
	@echo "openapi/openapi.json: is it what the code makes?"
	@$(BIN)/capicua openapi | diff -u openapi/openapi.json - || { echo "run: make openapi"; exit 1; }
	@echo "docs/games.md: is it what the code makes?"
	@$(BIN)/capicua games | diff -u docs/games.md - || { echo "run: make openapi"; exit 1; }
	@echo "openapi/openapi.json: is it sound?"
	@$(BIN)/openapi-spec-validator openapi/openapi.json
	@$(NPM) --prefix openapi run --silent lint
	@echo "openapi/openapi.json: is what breaks clients announced?"
	@$(BIN)/python -m tests.contract.gate
	@echo "web/: does the page keep to the contract's types?"
	@$(NPM) --prefix web run --silent check

.PHONY: format
format: .venv/dev.stamp ## lay out the code, and mend what ruff can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

.PHONY: openapi
openapi: .venv/dev.stamp ## write openapi/openapi.json and docs/games.md anew
	$(BIN)/capicua openapi --output openapi/openapi.json
	$(BIN)/capicua games --output docs/games.md

.PHONY: migration
migration: .venv/dev.stamp ## write a migration to the tables of the code: make migration NAME="add a column"
	@data=$$(mktemp -d) && trap 'rm -r "$$data"' EXIT && export CAPICUA_DATABASE_URL= CAPICUA_DATA_DIR="$$data" && \
		$(BIN)/capicua migrate && $(BIN)/alembic revision --autogenerate --message "$(NAME)"

.PHONY: pictures
pictures: .venv/dev.stamp ## take the README's pictures of the page anew
	@$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.browser.pictures $(ARGS)

.PHONY: bench
bench: .venv/dev.stamp ## measure the engine and the service
	$(BIN)/python -m benchmarks $(ARGS)

.PHONY: soak
soak: .venv/dev.stamp ## play while processes are killed, for ten minutes: make soak ARGS="--seconds 60"
	$(BIN)/python -m tests.soak.kills $(ARGS)

.PHONY: fuzz
fuzz: .venv/dev.stamp ## call by chance what the document describes, for half an hour: make fuzz ARGS="--seconds 60"
	$(BIN)/python -m tests.contract.fuzz $(ARGS)

.PHONY: clean
clean: ## remove what these targets made, but no data
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis .tools .venv dist \
		$(dir $(NODE_MODULES)) web/capicua.d.ts

.venv/service.stamp: $(UV) pyproject.toml uv.lock
	$(UV) sync --quiet --locked --no-dev --inexact
	@touch $@

.venv/dev.stamp: $(UV) pyproject.toml uv.lock
	$(UV) sync --quiet --locked
	@touch $@ .venv/service.stamp

%/node_modules/.stamp: %/package.json %/package-lock.json %/.npmrc | .venv/dev.stamp
	$(NPM) --prefix $* ci --loglevel error
	@touch $@

$(UV):
	@test -n "$(PYTHON)" || { echo "Capicua needs Python 3.11 or newer; found none on the PATH." >&2; exit 1; }
	$(PYTHON) -m venv .tools/uv-$(UV_VERSION)
	.tools/uv-$(UV_VERSION)/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
