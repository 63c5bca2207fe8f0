import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'
import { computed } from './tsup.computed'
import { throughFaces } from './tsup.faces'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

// `prepare` is for installations, which need no declarations: those take most of the time. `npx restante` in this folder
// and `npm publish` run it too: it must not pull the build from under them.
const { npm_command: command = '', npm_lifecycle_event: script } = process.env
const isBuilt = script === 'prepare' && !['install', 'ci'].includes(command) && existsSync('dist/cli.js')

/** Every file of adapters/ is what its name says: `adapters/tools.ts` is `restante/tools`. */
const adapters = Object.fromEntries(
  readdirSync('adapters')
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => [file.slice(0, -3), `adapters/${file}`]),
)

/** The entries are the `exports` and `imports` maps of package.json. */
const build: Options = {
  entry: {
    index: 'src/index.ts',
    service: 'src/service/index.ts',
    protocol: 'src/protocol/index.ts',
    testing: 'src/testing/index.ts',
    webhook: 'src/webhook/index.ts',
    ...adapters,
    cli: 'src/cli/start.ts',
    'mail-parser-worker': 'src/service/inbound/mail-parser-worker.ts',
    'smtp-thread': 'src/service/inbound/smtp/receiver-thread.ts',
    'checkpoint-thread': 'src/service/store/checkpoint-thread.ts',
    'bundled/service': 'src/service/bundled.ts',
    'bundled/testing': 'src/testing/bundled.ts',
    'platform/websocket-web': 'src/client/platform/websocket-web.ts',
    'platform/files-node': 'src/client/platform/files-node.ts',
    'platform/files-web': 'src/client/platform/files-web.ts',
  },
  format: 'esm',
  target: 'node20.19',
  splitting: true,
  sourcemap: true,
  clean: ['!claim-page.*'],
  dts: {
    entry: {
      index: 'src/index.ts',
      service: 'src/service/index.ts',
      protocol: 'src/protocol/index.ts',
      testing: 'src/testing/index.ts',
      webhook: 'src/webhook/index.ts',
      ...adapters,
    },
  },
  // Adapters use the package by its name, as anybody does.
  external: [/^#/, /^restante(?:\/|$)/],
  // Its 144 files cost an idle service 8 MB and its start 30 ms; of most of them it needs nothing.
  noExternal: ['kysely'],
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  esbuildPlugins: [computed, throughFaces],
}

/**
 * `ws` is CommonJS, and what it requires of Node no bundler can put into a module: here it takes it from the process. Its
 * two optional packages are not there.
 */
const socket: Options = {
  entry: { 'platform/websocket-node': 'src/client/platform/websocket-node.ts' },
  format: 'esm',
  target: 'node20.19',
  splitting: false,
  sourcemap: true,
  noExternal: ['ws'],
  external: ['bufferutil', 'utf-8-validate'],
  banner: {
    js: `const require = (name) => {
  const found = process.getBuiltinModule(name)
  if (!found) throw new Error(\`\${name} is not a module of Node\`)
  return found
}`,
  },
}

/** One file, which a browser takes as it is: nothing else of the build is served. */
const page: Options = {
  entry: { 'claim-page': 'src/service/console/claim-page.ts' },
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  splitting: false,
  sourcemap: true,
}

export default defineConfig(isBuilt ? [] : [build, socket, page])
