import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Who may import whom: the first part that a file's path begins with is what it belongs to. */
const mayImport: Record<string, string[]> = {
  'src/protocol': [],
  'src/mail': ['src/protocol'],
  'src/client': ['src/protocol'],
  'src/mailbox': ['src/client', 'src/protocol', 'src/mail'],
  'src/service': ['src/protocol', 'src/mail'],
  'src/testing': ['src/protocol', 'src/mail', 'src/client', 'src/mailbox', 'src/service'],
  'src/webhook': ['src/protocol'],
  'src/console': ['src/protocol', 'src/client', 'src/mailbox', 'src/mail'],
  'src/cli': ['src/protocol', 'src/mail', 'src/client', 'src/mailbox', 'src/service'],
  'src/index.ts': ['src/protocol', 'src/mail', 'src/client', 'src/mailbox'],
  adapters: [],
  examples: [],
}

/** Modules of the service, lowest first: each imports only those before it. Files beside them stand above all. */
const serviceModules = [
  'ports',
  'base',
  'net',
  'store',
  'log',
  'jobs',
  'accounts',
  'domains',
  'inboxes',
  'lists',
  'invitations',
  'messages',
  'extraction',
  'takeover',
  'search',
  'consumers',
  'webhooks',
  'erasure',
  'outbound',
  'inbound',
  'connections',
  'http',
  'realtime',
  'operators',
  'admin',
  'backup',
  'metrics',
  'housekeeping',
  'dev',
]

/** Maximum number of files in a folder: with more, nobody sees where to look. */
const maxFiles = 20

const runsAnywhere = [
  'src/protocol',
  'src/mail',
  'src/client',
  'src/mailbox',
  'src/webhook',
  'src/console',
  'src/index.ts',
]
const nodeOnly = /^src\/client\/platform\/.*-node\.ts$/

interface Source {
  path: string
  text: string
}

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path)))

const partOf = (path: string) =>
  Object.keys(mayImport).find((part) => path === part || path.startsWith(`${part}/`))

const moduleOf = (path: string) => /^src\/service\/([\w-]+)/.exec(path)?.[1]
const levelOf = (path: string) => {
  const level = serviceModules.indexOf(moduleOf(path) ?? '')
  return level < 0 ? serviceModules.length : level
}
/** Files in these folders count as modules of their own. */
const besideModules = new Set(['src/service', 'adapters'])
const folderOf = (path: string) => (besideModules.has(dirname(path)) ? path : dirname(path))

const importsOf = ({ text }: Source) =>
  ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName)

/** Indexes: each is an entry of the package. */
const entries = ['src', 'src/service', 'src/protocol', 'src/testing', 'src/webhook'].map(
  (folder) => `${folder}/index.ts`,
)

/** Replaces an entry in bundles. */
const bundled = /\/bundled\.ts$/

/** The file that a relative import leads to, as a path from the root. */
function targetOf(path: string, specifier: string, known: Set<string>): string {
  const base = join(dirname(path), specifier).replace(/\.js$/, '')
  return (
    [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, base].find((candidate) => known.has(candidate)) ?? base
  )
}

function violations(sources: Source[]): string[] {
  const known = new Set(sources.map((source) => source.path))
  const found: string[] = []
  for (const source of sources) {
    const part = partOf(source.path)
    if (!part) found.push(`${source.path} belongs to no part`)
    if (/\/index\.tsx?$/.test(source.path) && !entries.includes(source.path))
      found.push(`${source.path} is no entry of the package`)
    if (/^export (?:type )?\*/m.test(source.text))
      found.push(`${source.path} exports all of another file: name the exports`)
    for (const specifier of importsOf(source)) {
      const anywhere = runsAnywhere.some((one) => source.path === one || source.path.startsWith(`${one}/`))
      if (anywhere && specifier.startsWith('node:') && !nodeOnly.test(source.path))
        found.push(`${source.path} imports ${specifier}, which browsers lack`)
      if (!specifier.startsWith('.')) continue
      const target = targetOf(source.path, specifier, known)
      const targetPart = partOf(target)
      if (!targetPart || (targetPart !== part && !mayImport[part ?? '']?.includes(targetPart)))
        found.push(`${source.path} imports ${target}`)
      if (moduleOf(source.path) && moduleOf(target) && levelOf(target) > levelOf(source.path))
        found.push(`${source.path} imports ${target}, which is above it`)
      if (basename(target) === 'index.ts' && !bundled.test(source.path))
        found.push(`${source.path} imports an index: name the file`)
    }
  }
  return found
}

/** Who imports what, by the name that each file goes by. */
function edgesOf(sources: Source[], nameOf: (path: string) => string): Map<string, Set<string>> {
  const known = new Set(sources.map((source) => source.path))
  const edges = new Map<string, Set<string>>()
  for (const source of sources) {
    const from = nameOf(source.path)
    const targets = edges.get(from) ?? new Set()
    edges.set(from, targets)
    for (const specifier of importsOf(source)) {
      if (!specifier.startsWith('.')) continue
      const to = nameOf(targetOf(source.path, specifier, known))
      if (to !== from) targets.add(to)
    }
  }
  return edges
}

const fileOf = (path: string) => path

function cycle(sources: Source[], nameOf = fileOf): string[] | null {
  const edges = edgesOf(sources, nameOf)
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return null
    for (const next of edges.get(path) ?? []) {
      const found = walk(next, [...trail, path])
      if (found) return found
    }
    done.add(path)
    return null
  }
  for (const path of edges.keys()) {
    const found = walk(path, [])
    if (found) return found
  }
  return null
}

/** Folders with too many files. */
function crowded(sources: Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > maxFiles).map(([folder]) => folder)
}

const sources = ['src', 'adapters', 'examples']
  .flatMap((folder) => (existsSync(join(root, folder)) ? filesIn(folder) : []))
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

describe('the architecture', () => {
  it('was read', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  it('has no import that the design forbids', () => {
    expect(violations(sources)).toEqual([])
  })

  it('has no import cycle, types included', () => {
    expect(cycle(sources)).toBeNull()
  })

  it('has no circle between folders', () => {
    expect(cycle(sources, folderOf)).toBeNull()
  })

  it(`has no folder with more than ${maxFiles} files`, () => {
    expect(crowded(sources)).toEqual([])
  })
})

/** Tests in folders without a folder of the same name in the sources. */
const withoutSource = (tests: readonly string[], folders: ReadonlySet<string>): string[] =>
  tests.filter((path) => !folders.has(dirname(path).replace(/^test/, 'src')))

const testedFolders = ['protocol', 'mail', 'client', 'mailbox', 'service', 'testing', 'cli']
const testsIn = (folder: string) => filesIn(`test/${folder}`).filter((path) => path.endsWith('.test.ts'))

it('has tests in folders of the same name as what they test', () => {
  const folders = new Set(sources.map(({ path }) => dirname(path)))
  expect(withoutSource(testedFolders.flatMap(testsIn), folders)).toEqual([])
  expect(withoutSource(['test/mail/mime/a.test.ts', 'test/mail/nowhere/b.test.ts'], folders)).toEqual([
    'test/mail/nowhere/b.test.ts',
  ])
})

describe('the check itself', () => {
  const file = (path: string, text: string): Source => ({ path, text })

  it.each([
    ['the mailbox using the service', file('src/mailbox/x.ts', "import { a } from '../service/service'")],
    ['a type import', file('src/protocol/x.ts', "import type { a } from '../mail/parse'")],
    ['a dynamic import', file('src/mail/x.ts', "const a = await import('../client/client')")],
    ['node in a browser', file('src/client/x.ts', "import { readFile } from 'node:fs'")],
    ['an adapter using an internal', file('adapters/x.ts', "import { a } from '../src/mailbox/cache'")],
    [
      'a module that imports one above it',
      file('src/service/messages/x.ts', "import { a } from '../consumers/a'"),
    ],
    [
      'the lowest file that imports a module',
      file('src/service/ports.ts', "import type { a } from './store/a'"),
    ],
    [
      'a module that imports what joins all',
      file('src/service/admin/x.ts', "import { a } from '../settings'"),
    ],
    ['a file outside the parts', file('src/stray.ts', '')],
    ['an export of all of a file', file('src/mail/x.ts', "export * from './y'")],
  ])('sees %s', (_what, source) => {
    expect(violations([source])).toHaveLength(1)
  })

  it('sees an index that is no entry, and an import of one', () => {
    const index = file('src/mail/text/index.ts', "export { a } from './a'")
    expect(violations([index])).toEqual(['src/mail/text/index.ts is no entry of the package'])
    const entry = file('src/protocol/index.ts', '')
    const user = (path: string) => file(path, "import type { a } from '../protocol'")
    expect(violations([entry, user('src/client/x.ts')])).toEqual([
      'src/client/x.ts imports an index: name the file',
    ])
    expect(
      violations([
        file('src/protocol/event.ts', ''),
        file('src/client/x.ts', "import { a } from '../protocol/event'"),
      ]),
    ).toEqual([])
  })

  it('sees a cycle through types', () => {
    const a = file('src/mail/a.ts', "import type { B } from './b'")
    const b = file('src/mail/b.ts', "export { c } from './c'")
    const c = file('src/mail/c.ts', "import { a } from './a'")
    expect(cycle([a, b, c])).toEqual(['src/mail/a.ts', 'src/mail/b.ts', 'src/mail/c.ts', 'src/mail/a.ts'])
  })

  it('sees a circle of folders that is none of files', () => {
    const files = [
      file('src/mail/text/a.ts', "import { b } from '../html/b'"),
      file('src/mail/html/c.ts', "import { d } from '../text/d'"),
      file('src/mail/html/b.ts', ''),
      file('src/mail/text/d.ts', ''),
    ]
    expect(cycle(files)).toBeNull()
    expect(cycle(files, folderOf)).toEqual(['src/mail/text', 'src/mail/html', 'src/mail/text'])
  })

  it('sees one file too many', () => {
    const files = Array.from({ length: maxFiles + 1 }, (_, at) => file(`src/mail/text/${at}.ts`, ''))
    expect(crowded(files)).toEqual(['src/mail/text'])
    expect(crowded(files.slice(1))).toEqual([])
  })
})
