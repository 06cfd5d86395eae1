# Needs git, make, Node 20 or newer and npm. Everything else, including Node 24, is installed by `npm ci` from the lock file.

SHELL := /bin/sh
NODE := node_modules/.bin/node
INSTALLED := node_modules/.installed
# npm needs a home folder for its cache, and HOME may not be set.
ifeq ($(strip $(HOME)),)
export HOME := $(CURDIR)/.cache/home
endif
export NPM_CONFIG_UPDATE_NOTIFIER := false

.DEFAULT_GOAL := help
.PHONY: help run dev test check bench shards soak walks recall documents openapi image sbom build try-fresh-debian try-image clean

help: ## Montre cette aide
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(INSTALLED) ## Sert la démonstration (PORT, HOST, DATA_DIR, PUBLIC_URL, DATABASE_URL)
	@exec $(NODE) scripts/run.ts

dev: $(INSTALLED) ## Développe, avec mise à jour à chaud
	@exec $(NODE) scripts/dev.ts

test: $(INSTALLED) ## Lance les tests, avec ALL=1 les lents aussi, ou ceux de FILES="un chemin ou un morceau de chemin" ; TOPOLOGY=direct, pooler, processes, replica, s3
	@exec $(NODE) scripts/test.ts $(FILES)

check: $(INSTALLED) ## Vérifie types, style, règles d'import, code inutilisé, migrations, description de l'API et conformité
	@exec $(NODE) scripts/check.ts

bench: $(INSTALLED) ## Mesure les budgets ; avec GROWTH=1, ce que coûte chaque page sur une base de millions de lignes (SCALE)
	@exec $(NODE) bench/main.ts

shards: $(INSTALLED) ## Dit ce qui, sur une base répartie par candidat, demanderait plusieurs machines (docs/growth.md)
	@STATEMENTS=.cache/statements.json $(NODE) scripts/test.ts src/modules cli/ && exec $(NODE) --import ./test/support/tsx-hook.mjs scripts/shards.ts

soak: $(INSTALLED) ## Lance les longs essais aléatoires (SECONDS, PAYMENTS, SEED)
	@exec $(NODE) bench/soak.ts

walks: $(INSTALLED) ## Mesure le chemin d'un candidat et celui d'un enseignant
	@exec $(NODE) bench/walks.ts

recall: $(INSTALLED) ## Simule des candidats qui révisent, et compare notre séance du jour à d'autres (LEARNERS, SEED, FAMILY, ONLY)
	@exec $(NODE) bench/recall.ts

documents: $(INSTALLED) ## Mesure le collage et l'import sur les documents de FOLDER
	@exec $(NODE) scripts/measure-documents.ts $(FOLDER)

openapi: $(INSTALLED) ## Écrit docs/openapi.json d'après les routes
	@exec $(NODE) --import ./test/support/tsx-hook.mjs scripts/openapi.ts

build: $(INSTALLED) ## Construit dist/
	@exec $(NODE) node_modules/vite/bin/vite.js build --app --logLevel warn

image: ## Construit l'image du conteneur (BASE=une autre base@sha256:…)
	docker build --tag prepa-concours $(if $(BASE),--build-arg BASE=$(BASE)) .

try-fresh-debian: $(INSTALLED) ## Suit docs/operations.md dans un Debian neuf (debootstrap), puis y paie et y étudie ; root
	@exec $(NODE) scripts/try-fresh-debian.ts

try-image: $(INSTALLED) ## Construit l'image avec buildah, la démarre et la regarde ; root
	@exec $(NODE) scripts/try-image.ts

sbom: $(INSTALLED) ## Écrit dist/sbom : les paquets de la production (CycloneDX, SPDX) et leurs licences
	@exec $(NODE) scripts/sbom.ts

clean: ## Efface ce qui se refait : dist, node_modules, caches ; pas les données
	rm -rf dist node_modules .cache .tap

# npm warns with EBADENGINE because it checks the packages against its own Node; they run on Node 24 from the lock file.
$(INSTALLED): package-lock.json
	@echo 'Installation...'
	@sh scripts/install.sh
	@touch $@
