import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { start } from './cli/support/cli'

const root = join(import.meta.dirname, '..')

/** What a process reads before it can begin. */
interface Loaded {
  files: number
  kilobytes: number
  /** Of other people. */
  packages: string[]
}

async function loadedBy(args: string[]): Promise<Loaded> {
  const watching = ['--import', './test/support/tell-loaded.mjs']
  const { code, err } = await start(process.execPath, [...watching, ...args], { cwd: root }).ended
  expect(code).toBe(0)
  const urls = [...err.matchAll(/^loaded (file:.*)$/gm)].map(([, url]) => url!)
  const paths = [...new Set(urls)]
    .map((url) => fileURLToPath(url))
    .filter((path) => !/tell-loaded/.test(path))
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const packages = paths.flatMap((path) => /node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(path)?.[1] ?? [])
  return { files: paths.length, kilobytes: bytes / 1024, packages: [...new Set(packages)].sort() }
}

const importing = (...entries: string[]) => [
  ...['--input-type=module', '--eval'],
  entries.map((entry) => `await import('${entry}')`).join('\n'),
]

/** Entries, and the maximum that each may load before it is used. */
const budgets: [string, string[], Omit<Loaded, 'packages'> & { packages?: string[] }][] = [
  ['restante', importing('restante'), { files: 30, kilobytes: 350, packages: [] }],
  ['restante/webhook', importing('restante/webhook'), { files: 10, kilobytes: 75, packages: [] }],
  [
    'restante/protocol and the tools of adapters',
    importing('restante', 'restante/protocol', 'restante/tools', 'restante/ai-sdk'),
    { files: 60, kilobytes: 800, packages: [] },
  ],
  ['restante/service', importing('restante/service'), { files: 130, kilobytes: 2_960 }],
  ['restante --help', ['dist/cli.js', '--help'], { files: 25, kilobytes: 250 }],
]

test.for(budgets)('%s loads little', async ([, args, { packages, ...most }]) => {
  const loaded = await loadedBy(args)
  expect(loaded.files).toBeGreaterThan(2)
  expect({
    files: Math.max(loaded.files, most.files),
    kilobytes: Math.max(loaded.kilobytes, most.kilobytes),
  }).toEqual(most)
  if (packages) expect(loaded.packages).toEqual(packages)
})

/** Bundles a program for browsers; gives the bytes, compressed, of what it loads at once, and of the rest. */
async function browserBundle(program: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: root },
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', platform: 'browser', outdir: 'out' },
    ...{ write: false, metafile: true, logLevel: 'silent', absWorkingDir: root },
    // Not what it is made of, which this folder has beside it.
    tsconfigRaw: '{}',
  })
  const names = Object.keys(metafile.outputs)
  const early = new Set<string>()
  const add = (name: string) => {
    if (early.has(name)) return
    early.add(name)
    for (const { path, kind } of metafile.outputs[name]!.imports) if (kind === 'import-statement') add(path)
  }
  // What is loaded late is an entry point, too.
  add(names.find((name) => metafile.outputs[name]!.entryPoint === '<stdin>')!)
  const sizeOf = (which: string[]) =>
    outputFiles
      .filter(({ path }) => which.some((name) => path.endsWith(name)))
      .reduce((sum, { contents }) => sum + brotliCompressSync(contents).length, 0)
  return {
    early: sizeOf([...early]),
    late: sizeOf(names.filter((name) => !early.has(name))),
    inputs: Object.keys(metafile.inputs),
  }
}

test('a mailbox for browsers is at most 40 KB, compressed by brotli, and what reads HTML comes when it is called for', async () => {
  const { early, late, inputs } = await browserBundle(
    "import { Mailbox } from './dist/index.js'; globalThis.Mailbox = Mailbox",
  )
  expect(early).toBeLessThan(40 * 1024)
  expect(late).toBeGreaterThan(10 * 1024)
  expect(inputs.filter((path) => /node_modules\/(?:zod|ws|undici|postal-mime)\//.test(path))).toEqual([])
})

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name !== 'node_modules')
        .reduce((sum, name) => sum + sizeOf(join(path, name)), 4_096)
    : Math.ceil(statSync(path).size / 4_096) * 4_096

test('what an installation takes on the disk is at most 70 MB', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; peer?: true; devOptional?: true }>
  }
  const folders = Object.keys(packages).filter((path) => {
    const { dev, peer, devOptional } = packages[path]!
    return path !== '' && !dev && !peer && !devOptional && existsSync(join(root, path))
  })
  expect(folders.length).toBeGreaterThan(20)
  const own = ['dist', 'docs', 'examples', 'README.md', 'CHANGELOG.md']
  const bytes = [...own, ...folders].reduce((sum, path) => sum + sizeOf(join(root, path)), 0)
  expect(bytes / 1024 / 1024).toBeLessThan(70)
})
