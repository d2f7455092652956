# Two commands matter: `make demo` shows it, `make test` proves it.
# Everything runs on the Node that npm installs into node_modules.

.PHONY: demo bench chaos cluster tools docs test types lint unit program ci-tests browser-tests dev-tests cluster-tests chaos-tests

INSTALLED := node_modules/.package-lock.json
NODE := node_modules/.bin/node

# KEEP=1 leaves it running; KUBECONFIG=... CONTEXT=... uses your own cluster, in a namespace of its own.
demo: $(INSTALLED)
	@KEEP="$(KEEP)" CONTEXT="$(CONTEXT)" $(NODE) dev/demo.ts

# Beside plain Pulumi programs and Helm, for two hours: BENCH="--sizes 1 --rounds 1" for less, --help for more.
bench: $(INSTALLED)
	@$(NODE) bench/bench.ts $(BENCH)

# Kills, faults, other hands and bad input, for an hour; SEED=<number> makes the same choices again.
chaos: $(INSTALLED)
	@SEED="$(SEED)" $(NODE) test/chaos/chaos.ts

# A local control plane to play with; Ctrl-C stops it.
cluster: $(INSTALLED)
	@$(NODE) dev/cluster.ts

# Builds the Pulumi CLI, the Kubernetes provider and the control plane, once, into the user's cache.
tools: $(INSTALLED)
	@$(NODE) dev/tools.ts

# The reference pages in docs/, from the JSDoc of the code.
docs: $(INSTALLED)
	@$(NODE) dev/docs.ts

test: types lint
	@$(NODE) test/run.ts

types: $(INSTALLED)
	npm run --silent types

lint: $(INSTALLED)
	npm run --silent lint

unit program: $(INSTALLED)
	@$(NODE) test/run.ts $@

ci-tests browser-tests dev-tests cluster-tests chaos-tests: $(INSTALLED)
	@$(NODE) test/run.ts $(@:-tests=)

$(INSTALLED): package.json package-lock.json
	@echo "installing npm packages, about 20 s"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@
