# `make` alone lists the targets. Everything installs into .venv from requirements/*.txt; nothing is written outside this folder
# and the package tools' own caches.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# state, pictures and server files of everything started here
export SELFIMPRINT_HOME ?= $(CURDIR)/.home
export PREFECT_HOME ?= $(SELFIMPRINT_HOME)/prefect
# temporary files too stay in this folder
export TMPDIR := $(CURDIR)/.cache/tmp
$(shell mkdir -p '$(TMPDIR)')
# Where bytecode may not be kept, each process compiles Prefect and spaCy again: 4 s. All of it stays in .venv and __pycache__.
export PYTHONDONTWRITEBYTECODE :=

BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
SHIPPED := $(wildcard memory_lib selfimprint flows tasks deployments training infra)
# markers of tests that need a server
SERVERS := neo4j neo4j5 postgres s3 kms
FAST := not slow and not soak and not bench and not live and not bge and not flows$(SERVERS:%= and not %)
# needs no package, so that servers can be stopped where the environment is gone
INFRA = $(if $(wildcard $(BIN)/python),$(BIN)/python,python3) -m infra.local
# processes of tests
JOBS ?= 2
quoted = '$(subst ','\'',$(1))'

.PHONY: help run demo-env dev-env test check fast lint format types live bench blind test-bge ui soak eval lock upgrade clean
.PHONY: services services-stop services-status

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo-env:
	@scripts/environment.sh run

dev-env:
	@scripts/environment.sh dev

run: demo-env ## the whole thing on bundled dialogue, or on yours: make run DATA=path
	@$(BIN)/selfimprint demo $(if $(DATA),--data $(call quoted,$(DATA)))

ui: demo-env ## Prefect server, worker and UI on loopback, with every deployment registered
	@$(BIN)/python -m deployments.serve $(if $(PORT),--port $(call quoted,$(PORT)))

test: dev-env ## everything the project promises (what a machine lacks is skipped, with the command that brings it)
	$(PYTEST) -n $(JOBS) --dist loadfile

check: lint types fast ## before each commit: style, types, import rules, fast tests; about a minute

fast: dev-env ## the fast tests only
	$(PYTEST) -m "$(FAST)" -q -n $(JOBS) --dist loadfile --hypothesis-profile=fast

lint: dev-env ## ruff: rules and layout (`make format` mends most)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .

format: dev-env ## let ruff lay the code out and mend what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: dev-env ## mypy, strict, over everything shipped
	$(BIN)/mypy $(SHIPPED)

services: dev-env ## Neo4j, PostgreSQL, S3 and KMS on loopback, without Docker; programs come by Maven and Go the first time
	@$(BIN)/python -m infra.local start

services-stop: ## stop them, and whatever a killed test session left; their data goes
	@$(INFRA) stop

services-status: ## what runs, and where
	@$(INFRA) status

bench: dev-env ## speed and memory, as JSON, and a table of what stores are held to (servers: those of make services)
	@$(INFRA) status --json | $(BIN)/python -m memory_lib.evaluation.benchmark --servers -

eval: demo-env ## retrieval on a data set: make eval DATA=locomo:path
	@test -n "$(DATA)" || { echo "error: name the data: make eval DATA=locomo:PATH or DATA=longmemeval:PATH" >&2; exit 2; }
	@$(BIN)/selfimprint eval retrieval --data $(call quoted,$(DATA)) --k 10 --json -

blind: dev-env ## formation on sentences that the rules' authors have not seen: totals by group, never a case
	@$(BIN)/python -m tests.reasoning.blind_totals blind

live: dev-env ## 500 calls to a real small model: do answers fit their schemas, and what happens to those that don't
	$(PYTEST) tests/live -m live -s

test-bge: ## bge-m3's loading code over a tiny model, in an environment of its own (.venv-bge: 5 GB, from a lock of its own)
	@scripts/environment.sh bge
	.venv-bge/bin/python -m pytest tests/bge -m bge

soak: dev-env ## the long repetitions: kill -9 at 500 points, and the like
	$(PYTEST) -m soak -s

lock: dev-env ## write requirements/*.txt from pyproject.toml, keeping locked versions
	@scripts/lock.sh

upgrade: dev-env ## the same with the newest versions allowed
	@scripts/lock.sh --upgrade

clean: services-stop ## remove the environment, caches, home and pictures made here
	rm -rf .venv .venv-bge .cache .home out build dist .hypothesis .mypy_cache .ruff_cache .pytest_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
