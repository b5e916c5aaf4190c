# The calculator as static files behind nginx:
#   docker build -f ops/images/web.Dockerfile -t sumlock/web .
# It serves files only. A file mounted below /etc/nginx/upstreams makes it the one address in front of everything
# (ops/images/nginx/compose-upstreams.conf); in a cluster the ingress does that.
# Digests can be pinned as well: --build-arg NGINX_IMAGE=nginxinc/nginx-unprivileged:1.30.4-alpine-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-trixie-slim
ARG NGINX_IMAGE=nginxinc/nginx-unprivileged:1.30.4-alpine-slim

FROM ${NODE_IMAGE} AS build
ARG NPM_CONFIG_REGISTRY
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY libs/contracts/package.json libs/contracts/
COPY libs/sealing/package.json libs/sealing/
COPY libs/sync/package.json libs/sync/
COPY web/package.json web/
RUN npm ci --include=dev --workspace=@sumlock/web --no-audit --no-fund
COPY libs/contracts libs/contracts
COPY libs/sealing libs/sealing
COPY libs/sync libs/sync
COPY tsconfig.base.json ./
COPY web web
WORKDIR /build/web
RUN node ../node_modules/vite/bin/vite.js build --logLevel warn

FROM ${NGINX_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="sumlock/web" \
  org.opencontainers.image.description="Sumlock: the web app" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="UNLICENSED"
COPY ops/images/nginx/nginx.conf ops/images/nginx/security-headers.conf ops/images/nginx/secure.conf /etc/nginx/sumlock/
COPY --from=build /build/web/dist /srv/web
USER 101:101
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8080/healthz"]
STOPSIGNAL SIGQUIT
ENTRYPOINT ["nginx", "-e", "/dev/stderr", "-c", "/etc/nginx/sumlock/nginx.conf", "-g", "daemon off;"]
CMD []
