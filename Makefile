# Needs git, make, Node 20 or newer and npm. Everything else, Node 24 included, comes with `npm ci` from the lock file.

SHELL := /bin/sh
NODE := node_modules/.bin/node
INSTALLED := node_modules/.installed
# npm wants a home for its cache, and none is promised.
ifeq ($(strip $(HOME)),)
export HOME := $(CURDIR)/.cache/home
endif
export NPM_CONFIG_UPDATE_NOTIFIER := false

.DEFAULT_GOAL := help
.PHONY: help run dev test check bench soak walks documents openapi image build clean

help: ## Montre cette aide
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(INSTALLED) ## Sert la démonstration (PORT, HOST, DATA_DIR, PUBLIC_URL, DATABASE_URL)
	@exec $(NODE) scripts/run.ts

dev: $(INSTALLED) ## Développe, avec mise à jour à chaud
	@exec $(NODE) scripts/dev.ts

test: $(INSTALLED) ## Lance tous les tests, ou ceux de FILES="un chemin ou un morceau de chemin"
	@exec $(NODE) scripts/test.ts $(FILES)

check: $(INSTALLED) ## Vérifie types, style, règles d'import, code inutilisé, migrations, description de l'API et conformité
	@exec $(NODE) scripts/check.ts

bench: $(INSTALLED) ## Mesure les budgets ; avec GROWTH=1, ce que coûte chaque page sur une base de millions de lignes (SCALE)
	@exec $(NODE) bench/main.ts

soak: $(INSTALLED) ## Lance les longs essais aléatoires (SECONDS, PAYMENTS, SEED)
	@exec $(NODE) bench/soak.ts

walks: $(INSTALLED) ## Mesure le chemin d'un candidat et celui d'un enseignant
	@exec $(NODE) bench/walks.ts

documents: $(INSTALLED) ## Mesure le collage et l'import sur les documents de FOLDER
	@exec $(NODE) scripts/measure-documents.ts $(FOLDER)

openapi: $(INSTALLED) ## Écrit docs/openapi.json d'après les routes
	@exec $(NODE) --import ./test/support/tsx-hook.mjs scripts/openapi.ts

build: $(INSTALLED) ## Construit dist/
	@exec $(NODE) node_modules/vite/bin/vite.js build --app --logLevel warn

image: ## Construit l'image du conteneur
	docker build --tag prepa-concours .

clean: ## Efface ce qui se refait : dist, node_modules, caches ; pas les données
	rm -rf dist node_modules .cache .tap

# EBADENGINE: npm judges the packages by the Node that runs it; they run on Node 24 from the lock file.
$(INSTALLED): package-lock.json
	@echo 'Installation...'
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@
