import { existsSync, readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

// `npx restante` in this folder runs `prepare` too: it must not pull the build from under what runs.
const { npm_command: command, npm_lifecycle_event: script } = process.env
const isBuilt = command === 'exec' && script === 'prepare' && existsSync('dist/cli.js')

/** The entries are the `exports` and `imports` maps of package.json. */
const build: Options = {
  entry: {
    index: 'src/index.ts',
    service: 'src/service/index.ts',
    protocol: 'src/protocol/index.ts',
    cli: 'src/cli/main.ts',
    'mail-parser-worker': 'src/service/mail-parser-worker.ts',
    'smtp-thread': 'src/service/smtp/receiver-thread.ts',
    'claim-page': 'src/service/console/claim-page.ts',
    'platform/fetch-node': 'src/client/platform/fetch-node.ts',
    'platform/fetch-web': 'src/client/platform/fetch-web.ts',
    'platform/websocket-node': 'src/client/platform/websocket-node.ts',
    'platform/websocket-web': 'src/client/platform/websocket-web.ts',
  },
  format: 'esm',
  target: 'node20.19',
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: {
    entry: {
      index: 'src/index.ts',
      service: 'src/service/index.ts',
      protocol: 'src/protocol/index.ts',
    },
  },
  external: [/^#/],
  // Its 144 files cost an idle service 8 MB and its start 30 ms; of most of them it needs nothing.
  noExternal: ['kysely'],
  define: { PACKAGE_VERSION: JSON.stringify(version) },
}

export default defineConfig(isBuilt ? [] : build)
