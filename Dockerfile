# The service over one HTTP port, mail in by HTTP: docs/real-mail.md. With SMTP: -e RESTANTE_SMTP=0.0.0.0:25 -p 25:25.
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json tsup.config.ts ./
COPY build build
COPY src src
COPY adapters adapters
# `prepare` builds dist; what only building needs goes again.
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:22-slim
ENV NODE_ENV=production RESTANTE_HTTP=0.0.0.0:8080 RESTANTE_SMTP=off RESTANTE_DATA=/data
WORKDIR /restante
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/cli.js", "serve"]
