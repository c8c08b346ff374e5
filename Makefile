# Two commands: `make run` starts the whole site here, `make test` proves it. Everything is kept in .venv/ and var/.
# The launcher package does the work; this file finds a Python and calls it.

CANDIDATES = python3 python3.14 python3.13 python3.12 python3.11
PROBE = import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))
PYTHON = $(shell for name in $(CANDIDATES); do \
	"$$name" -c '$(PROBE)' 2>/dev/null && command -v "$$name" && break; done)
NEEDS_PYTHON = Python 3.11 or later with venv is needed and was not found (on Debian: apt install python3-venv).
BIN = .venv/bin
PACKAGES = config evals assistant records metering guardrails launcher bench

.PHONY: run test setup lint bench messages lock python

run: python
	@$(FOUND) -m launcher setup
	@$(BIN)/python -m launcher run

test: setup
	@$(BIN)/python -m launcher test $(ARGS)

setup: python
	@$(FOUND) -m launcher setup --development

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(PACKAGES)
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/djlint --lint --quiet templates

bench: setup
	@$(BIN)/python -m launcher bench $(ARGS)

messages: setup
	@$(BIN)/python -m config.messages

lock: python
	@test -x var/uv/bin/uv || { $(FOUND) -m venv var/uv && var/uv/bin/pip install --quiet uv==0.13.9; }
	for name in requirements requirements-embedded requirements-dev; do \
		var/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
			--no-emit-index-url --no-emit-find-links $$name.in -o $$name.txt || exit 1; done
	var/uv/bin/uv pip compile --quiet --universal --no-deps --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --no-emit-find-links requirements-model-server.in -o requirements-model-server.txt

python:
	$(eval FOUND := $(PYTHON))
	@test -n "$(FOUND)" || { echo "$(NEEDS_PYTHON)" >&2; exit 1; }
