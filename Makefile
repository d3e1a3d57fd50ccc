# `make` alone lists the targets. Every tool comes from .venv, which `make setup` builds.

VENV ?= .venv
BIN := $(VENV)/bin
UV = $$(VENV=$(VENV) bash .ci/uv)
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet \
	--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links

# Folders of tests that need more than milliseconds: `make test` runs them, `make check` does not.
SLOW_TESTS := tests/contract tests/goldens tests/interfaces tests/e2e tests/cluster

.DEFAULT_GOAL := help
.PHONY: help setup check check-format lint types imports unit test nightly-test cluster cluster-test format goldens eval gate bench examples lock audit audit-refresh clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 14

setup:  ## build .venv from the lock (once)
	VENV=$(VENV) bash .ci/setup

check: check-format lint types imports unit  ## format, lint, types, imports, unit tests (60 s)

check-format:
	$(BIN)/ruff format --check .

lint:
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports --no-logo

unit:
	$(BIN)/pytest -m "not slow and not nightly and not shared and not corpus and not cluster" $(SLOW_TESTS:%=--ignore=%)

test: check-format lint types imports  ## check, plus contracts, goldens and end to end (15 min)
	$(BIN)/pytest -rs -m "not nightly" -n 2 --dist loadgroup

nightly-test:  ## the tests that take too long for every commit; writes a record (40 min)
	$(BIN)/python -m tools.nightly

cluster:  ## three OpenSearch nodes on this machine until Ctrl-C (NODES=1, VERSION=2.19.1)
	$(BIN)/python -m tools.opensearch start --nodes $(or $(NODES),3) $(if $(VERSION),--version $(VERSION))

cluster-test:  ## conformance, faults and permissions on real nodes, which it starts and stops (20 min)
	PLAIT_REQUIRE_CLUSTER=1 $(BIN)/pytest -rs -m "cluster or slow" tests/contract tests/cluster tests/stores/cluster

format:  ## rewrite files as the formatter and the safe lint fixes want them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

goldens:  ## rewrite the golden pages, to be reviewed as a diff
	@test -d tests/goldens || { echo "error: there are no goldens yet (tests/goldens)" >&2; exit 2; }
	PLAIT_UPDATE_GOLDENS=1 $(BIN)/pytest tests/goldens
	@git --no-pager diff --stat -- tests/goldens

eval:  ## full evaluation (EVAL="--repos DIR"); writes a record and docs/evaluation.md
	$(BIN)/python -m benchmarks.eval $(EVAL)

gate:  ## are functions and files ranked as well as the baselines'? (2 min; GATE="--repos DIR")
	$(BIN)/python -m benchmarks.quality.gate $(GATE)

bench:  ## latency and indexing; writes a record
	$(BIN)/python -m benchmarks.bench

examples:  ## six questions, three rankings of each; writes docs/examples.md
	$(BIN)/python -m benchmarks.examples $(EXAMPLES)

lock:  ## resolve the requirement locks anew; then `make audit-refresh`
	$(COMPILE) pyproject.toml --upgrade --output-file requirements/core.txt
	$(COMPILE) pyproject.toml --upgrade --group dev --constraints requirements/core.txt --output-file requirements/dev.txt
	$(COMPILE) requirements/tools.in --output-file requirements/tools.txt
	$(COMPILE) requirements/audit.in --upgrade --output-file requirements/audit.txt
	@! grep -nE '://|^ *--(index|extra-index|find-links)' requirements/*.txt \
		|| { echo "error: a lock names an address" >&2; exit 1; }

audit:  ## are all pins hashed, audited and under accepted licences? (no network)
	$(BIN)/python -m tools.audit check

audit-refresh:  ## ask a vulnerability service about every pin; writes requirements/audited.json
	$(UV) venv --quiet --allow-existing --python $(BIN)/python $(VENV)/audit
	$(UV) pip install --quiet --python $(VENV)/audit --require-hashes -r requirements/audit.txt
	$(BIN)/python -m tools.audit refresh --pip-audit $(VENV)/audit/bin/pip-audit $(AUDIT)

clean:  ## remove what tools leave behind; keeps .venv
	rm -rf build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
