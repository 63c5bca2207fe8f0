// node bench/reading-cost.mjs [--before 1f13399,339fb7a] [--rounds 5]
// Processor time to read the messages of the corpora, and to find codes and links in them, beside that of earlier
// commits: the versions alternate, and each figure is the median of the rounds. Each version has a process of its own,
// since V8 compiles no more patterns once a process has many.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { readMessages } from './corpora.mjs'

const { values: given } = parseArgs({
  options: {
    before: { type: 'string', default: '1f13399,339fb7a' },
    rounds: { type: 'string', default: '5' },
  },
})
const here = fileURLToPath(new URL('..', import.meta.url))
const scratch = process.send ? null : mkdtempSync(join(tmpdir(), 'reading-cost-'))

/** Finds what package.json names with `#` in the source of a version. */
const decoders = (source) => ({
  name: 'decoders',
  setup({ onResolve }) {
    onResolve({ filter: /^#text-decoder$/ }, () => ({
      path: ['mail/charsets', 'platform']
        .map((folder) => join(source, 'src', folder, 'text-decoder-node.ts'))
        .find((path) => existsSync(path)),
    }))
  },
})

async function versionOf(source, name) {
  const outfile = join(scratch, `${name}.mjs`)
  const contents = `export { parseMail } from './src/mail/parse'
    export { findCodes } from './src/mail/codes'
    export { findLinks } from './src/mail/links'`
  await build({
    stdin: { contents, resolveDir: source, loader: 'ts' },
    ...{ bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'error' },
    ...{ nodePaths: [join(here, 'node_modules')], plugins: [decoders(source)] },
    banner: {
      js: `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)`,
    },
  })
  return { name, outfile }
}

function sourceOf(commit) {
  const folder = join(scratch, commit)
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit, 'src', 'package.json', 'tsconfig.json'], {
    ...{ cwd: here, maxBuffer: 1 << 28 },
  })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  return folder
}

const mails = readMessages().map(({ raw }) => new Uint8Array(raw))

async function milliseconds(work) {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const works = {
  reading: async ({ parseMail }) => {
    for (const raw of mails) await parseMail(raw)
  },
  'codes and links': async ({ findCodes, findLinks }, texts) => {
    for (const { subject, text, html } of texts) {
      findCodes(subject, text)
      findLinks(text, html, 'people.example')
    }
  },
}

/** Does a work each time that the process of the bench asks for it, and sends how long it took. */
function serve() {
  let version
  let texts
  process.on('message', async ({ outfile, textsIn, title }) => {
    version ??= await import(pathToFileURL(outfile).href)
    texts ??= JSON.parse(readFileSync(textsIn, 'utf8'))
    process.send(await milliseconds(() => works[title](version, texts)))
  })
}

const median = (all) => all.toSorted((a, b) => a - b)[all.length >> 1]
const load = () => loadavg()[0].toFixed(1)

async function compare() {
  const before = given.before.split(',').filter(Boolean)
  const versions = [await versionOf(here, 'today')]
  for (const commit of before) versions.push(await versionOf(sourceOf(commit), commit))

  // Codes and links are found in the same texts by all versions.
  const textsIn = join(scratch, 'texts.json')
  const { parseMail } = await import(pathToFileURL(versions[0].outfile).href)
  const texts = []
  for (const raw of mails) {
    const { subject, text, html } = await parseMail(raw)
    texts.push({ subject, text, html })
  }
  writeFileSync(textsIn, JSON.stringify(texts))

  console.log(`${mails.length} messages, ${given.rounds} rounds, load ${load()}`)
  for (const title of Object.keys(works)) {
    const children = versions.map(() => fork(fileURLToPath(import.meta.url)))
    const cost = async (at) => {
      children[at].send({ outfile: versions[at].outfile, textsIn, title })
      return (await once(children[at], 'message'))[0]
    }
    const times = versions.map(() => [])
    // The engine compiles patterns as they are used.
    for (let warm = 0; warm < 4; warm++) for (const at of versions.keys()) await cost(at)
    for (let round = 0; round < Number(given.rounds); round++)
      for (const at of versions.keys()) times[at].push(await cost(at))
    for (const child of children) child.disconnect()
    const today = median(times[0])
    for (const [at, { name }] of versions.entries())
      console.log(
        `${title}, ${name}: ${median(times[at]).toFixed(0)} ms${at ? `; today ${(today / median(times[at])).toFixed(2)} times` : ''}`,
      )
  }
  console.log(`load ${load()}`)
  rmSync(scratch, { recursive: true })
}

if (process.send) serve()
else await compare()
