# syntax=docker/dockerfile:1
# One image for every part: the command says which. `docker build .` gives the production image,
# `docker build --target test .` the one that drives a deployment from outside.
ARG NODE_IMAGE=node:26-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app
# `sluice` and `mocha` by their names.
ENV PATH=/app/node_modules/.bin:$PATH

# Everything installed and bundled.
FROM base AS build
COPY package.json package-lock.json tsconfig.json tsconfig.base.json ./
COPY scripts ./scripts
COPY packages ./packages
COPY services ./services
COPY tools ./tools
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
# The commit that `sluice --version` and the metrics name.
ARG REVISION=
RUN npm run build

# Production needs only the bundles, and the files that they read at run time: a script of BullMQ, and the
# viewer of the API reference. sluice.cdx.json lists what the bundles and the pages contain. Development's packages are taken
# out of package.json too: npm would keep those that some package could use as well (a peer that is optional), which was the
# TypeScript compiler.
FROM build AS pruned
RUN node scripts/sbom.mjs > sluice.cdx.json \
 && node scripts/forget-bundled.mjs \
 && npm prune --omit=dev --no-audit --no-fund \
 && node scripts/forget-unread.mjs

# Drives a deployment from outside: see the service `test` in docker-compose.yml.
FROM build AS test
COPY .mocharc.json ./
COPY test ./test
USER node
CMD ["mocha", "test/compose/outside.test.ts"]

FROM base AS production
# `--build-arg REVISION="$(git rev-parse HEAD)"` names the commit.
ARG VERSION=0.2.0
ARG REVISION=
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.description="Signed event webhooks in, durable and in order." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${NODE_IMAGE}"
# The young generation of a heap: Node 26 takes up to 32 MiB for each half of it, which makes nothing faster here, and in a
# container with little memory as few as 2, which makes it slower (bench/speed-tried.md).
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    HOST=0.0.0.0 \
    INGRESS_PORT=8080 \
    API_PORT=8081 \
    INGRESS_ADMIN_PORT=9080 \
    API_ADMIN_PORT=9081 \
    WORKER_ADMIN_PORT=9082 \
    DISPATCHER_ADMIN_PORT=9083
COPY --from=pruned /app ./
COPY deploy/healthcheck.mjs ./deploy/healthcheck.mjs
COPY LICENSE ./
USER node
EXPOSE 8080 8081 9080 9081 9082 9083
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "deploy/healthcheck.mjs", "ingress", "worker", "dispatcher", "api"]
# The others: node services/worker/dist/main.js, the same with dispatcher and api. The command line: sluice --help.
CMD ["node", "services/ingress/dist/main.js"]
