import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'
import { buildConsole } from './build/console'

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

/** What searches read at run time, and its licences; build/search-data/ makes it. */
const searchData = 'src/service/search/data'

/** The folders of the packages that are put into the build. */
const folders = new Set<string>()

/** Puts the licences of other people's packages beside what is made of them. */
const ofOthers: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'of-others',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => {
      folders.add(/^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)![0])
      return undefined
    })
    build.onEnd(() => {
      mkdirSync('dist', { recursive: true })
      const licences = [...folders].sort().map(licenceOf)
      writeFileSync(
        'dist/THIRD-PARTY.txt',
        [...licences, readFileSync(`${searchData}/LICENCES.txt`)].join('\n\n'),
      )
    })
  },
}

/** The name of a package, and its licence. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}`
}

const asModules: Options = {
  format: 'esm',
  target: 'node20.19',
  splitting: true,
  // Adapters use the package by its name, as anybody does.
  external: [/^#/, /^restante(?:\/|$)/],
  // As all that is no dependency it is put into the build: to read its many files costs more than to run it, and installed
  // they are many times what is used of them. It is a dependency for its types.
  noExternal: ['zod'],
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  esbuildPlugins: [ofOthers],
}

/** The entries are the `exports` and `imports` maps of package.json. */
const entry = {
  index: 'src/index.ts',
  service: 'src/service/index.ts',
  protocol: 'src/protocol/index.ts',
  testing: 'src/testing/index.ts',
  webhook: 'src/webhook/index.ts',
  ...adapters,
  cli: 'src/cli/start.ts',
  'bundled/service': 'src/service/bundled.ts',
  'bundled/testing': 'src/testing/bundled.ts',
  'platform/websocket-web': 'src/client/platform/websocket-web.ts',
  'platform/files-node': 'src/client/platform/files-node.ts',
  'platform/files-web': 'src/client/platform/files-web.ts',
  'platform/text-decoder-web': 'src/mail/charsets/text-decoder-web.ts',
}

const build: Options = {
  entry,
  ...asModules,
  clean: ['!console/**', '!search-data/**'],
  dts: {
    // What is internal names types of packages that nobody has.
    compilerOptions: { stripInternal: true },
    entry: {
      index: 'src/index.ts',
      service: 'src/service/index.ts',
      protocol: 'src/protocol/index.ts',
      testing: 'src/testing/index.ts',
      webhook: 'src/webhook/index.ts',
      ...adapters,
    },
  },
}

const searchFiles = readdirSync(searchData).filter((file) => /\.(?:bin|wasm)$/.test(file))

/** Threads share no object with the process that starts them: what they load is built for them. */
const threads: Options = {
  entry: {
    'mail-parser-worker': 'src/service/inbound/mail-parser-worker.ts',
    'smtp-thread': 'src/service/inbound/smtp/receiver-thread.ts',
    'checkpoint-thread': 'src/service/store/checkpoint-thread.ts',
    'extract-process': 'src/service/extraction/extract-process.ts',
    'search-thread': 'src/service/search/semantic/search-thread.ts',
  },
  ...asModules,
  async onSuccess() {
    for (const file of searchFiles) cpSync(`${searchData}/${file}`, `dist/search-data/${file}`)
  },
}

/**
 * These are CommonJS, and what they require of Node no bundler can put into a module: here they take it from the process.
 * The two optional packages of `ws` are not there.
 */
const commonJs: Options = {
  entry: {
    'platform/websocket-node': 'src/client/platform/websocket-node.ts',
    'platform/text-decoder-node': 'src/mail/charsets/text-decoder-node.ts',
    'libraries/mailauth': 'src/service/inbound/authentication/mailauth.ts',
    'libraries/markdown': 'src/mail/markdown.ts',
    'libraries/prom-client': 'src/service/metrics/prom-client.ts',
    'libraries/nats': 'src/service/log/nats.ts',
    'libraries/imapflow': 'src/service/connections/imapflow.ts',
    'libraries/pdf': 'src/service/extraction/documents/pdf.ts',
    'libraries/outlook': 'src/service/extraction/documents/outlook.ts',
  },
  format: 'esm',
  target: 'node20.19',
  splitting: false,
  noExternal: [/^(?!bufferutil|utf-8-validate)/],
  external: ['bufferutil', 'utf-8-validate'],
  // The console is built with the service that serves it.
  esbuildPlugins: [ofOthers, { name: 'console', setup: ({ onStart }) => onStart(buildConsole) }],
  esbuildOptions(options) {
    options.minifyWhitespace = options.minifySyntax = true
    options.lineLimit = 160
  },
  // Tools look for an export that follows a blank or a semicolon; the minified one may follow a brace.
  banner: {
    js: `export {}
const require = (name) => {
  const found = process.getBuiltinModule(name)
  if (!found) throw new Error(\`\${name} is not a module of Node\`)
  return found
}`,
  },
}

export default defineConfig(isBuilt ? [] : [build, threads, commonJs])
