# One for all services:
#   docker build -f ops/images/service.Dockerfile --build-arg SERVICE=auth -t sumlock/auth .
# and for the jobs around them, and the backup:
#   docker build -f ops/images/service.Dockerfile --build-arg SERVICE=jobs --build-arg FOLDER=ops/jobs -t sumlock/jobs .
#   docker build -f ops/images/service.Dockerfile --build-arg SERVICE=backup --build-arg FOLDER=ops/backup -t sumlock/backup .
# A digest can be pinned as well: --build-arg NODE_IMAGE=node:24.21.0-trixie-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS build
ARG SERVICE
ARG FOLDER=services/${SERVICE}
ARG NPM_CONFIG_REGISTRY
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY ops/backup/package.json ops/backup/
COPY ops/bundle/package.json ops/bundle/
COPY libs/bus/package.json libs/bus/
COPY libs/contracts/package.json libs/contracts/
COPY ops/jobs/package.json ops/jobs/
COPY libs/service-kit/package.json libs/service-kit/
COPY dev/package.json dev/
COPY libs/deployment/package.json libs/deployment/
COPY libs/sealing/package.json libs/sealing/
COPY libs/sync/package.json libs/sync/
COPY testing/package.json testing/
COPY services/auth/package.json services/auth/
COPY services/billing/package.json services/billing/
COPY services/gateway/package.json services/gateway/
COPY services/messaging/package.json services/messaging/
COPY services/notify/package.json services/notify/
COPY services/realtime/package.json services/realtime/
COPY web/package.json web/
RUN npm ci --omit=dev --workspace=@sumlock/${SERVICE} --workspace=@sumlock/bundle --no-audit --no-fund
COPY libs libs
COPY services services
COPY ops ops
# A service runs as one file with everything it imports (ops/bundle). Its commands, the jobs and the backup run from
# their sources.
RUN if [ -f ${FOLDER}/src/main.ts ]; then node ops/bundle/src/commands/bundle.ts ${FOLDER}/src/main.ts; fi
# Copies the workspace, the libs it depends on and their packages to the same paths in /app, because Node strips types
# only outside of node_modules.
RUN mkdir /app \
  && npm ls --all --omit=dev --workspace=@sumlock/${SERVICE} --parseable > /tmp/needed \
  && sed -n "s|^$PWD/||p" /tmp/needed \
  | while read -r path; do echo "$path"; if [ -L "$path" ]; then realpath --relative-to=. "$path"; fi; done \
  | tar -c --hard-dereference -T - | tar -x -C /app \
  && test -d /app/${FOLDER}/src
# The image's user owns these folders, and a new volume mounted there gets the same owner.
ARG OWN_FOLDERS=
RUN mkdir -p /owned/run/secrets \
  && for folder in ${OWN_FOLDERS}; do mkdir -p "/owned${folder}"; done \
  && chown -R 10001:10001 /owned

FROM ${NODE_IMAGE}
ARG SERVICE
ARG FOLDER=services/${SERVICE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="sumlock/${SERVICE}" \
  org.opencontainers.image.description="Sumlock: ${SERVICE}" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="UNLICENSED"
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /opt/yarn-* \
  /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg
# The user has no entry in /etc/passwd, so without HOME a look-up of the home folder fails, in the S3 client for example.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 INTERNAL_PORT=8081 \
  HOME=/app
COPY --from=build /owned /
COPY --from=build /app /app
COPY ops/images/health.sh /app/
WORKDIR /app/${FOLDER}
USER 10001:10001
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=8s --start-period=120s --retries=3 CMD ["bash", "/app/health.sh"]
# libs/deployment/src/service-node-flags.ts has the first flag as well. docker-compose.yml adds a file with secrets.
ENTRYPOINT ["node", "--enable-source-maps", "--disable-warning=ExperimentalWarning", "--disable-warning=TimeoutNegativeWarning"]
CMD ["dist/main.cjs"]
