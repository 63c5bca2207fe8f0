import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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
  'src/cli': ['src/protocol', 'src/mail', 'src/client', 'src/mailbox', 'src/service'],
  'src/index.ts': ['src/protocol', 'src/client', 'src/mailbox'],
  adapters: [],
  examples: [],
}

/** Parts of the service talk through core, never to a sibling; what lies beside them joins them. */
const serviceParts = [
  'core',
  'store',
  'http',
  'smtp',
  'delivery',
  'realtime',
  'webhooks',
  'search',
  'console',
]
const servicePartMayImport: Record<string, string[]> = { core: ['store'], store: [] }

const runsAnywhere = ['src/protocol', 'src/mail', 'src/client', 'src/mailbox', 'src/webhook', 'src/index.ts']
const nodeOnly = /^src\/client\/platform\/.*-node\.ts$/

interface Source {
  path: string
  text: string
}

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path)))

const partOf = (path: string) =>
  Object.keys(mayImport).find((part) => path === part || path.startsWith(`${part}/`))
const servicePartOf = (path: string) => serviceParts.find((part) => path.startsWith(`src/service/${part}/`))

const importsOf = ({ text }: Source) =>
  ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName)

/** The file that a relative import leads to, as a path from the root. */
function targetOf(path: string, specifier: string, known: Set<string>): string {
  const base = join(dirname(path), specifier).replace(/\.js$/, '')
  return [`${base}.ts`, `${base}/index.ts`, base].find((candidate) => known.has(candidate)) ?? base
}

function violations(sources: Source[]): string[] {
  const known = new Set(sources.map((source) => source.path))
  const found: string[] = []
  for (const source of sources) {
    const part = partOf(source.path)
    if (!part) found.push(`${source.path} belongs to no part`)
    for (const specifier of importsOf(source)) {
      const anywhere = runsAnywhere.some((one) => source.path === one || source.path.startsWith(`${one}/`))
      if (anywhere && specifier.startsWith('node:') && !nodeOnly.test(source.path))
        found.push(`${source.path} imports ${specifier}, which browsers lack`)
      if (!specifier.startsWith('.')) continue
      const target = targetOf(source.path, specifier, known)
      const targetPart = partOf(target)
      if (!targetPart || (targetPart !== part && !mayImport[part ?? '']?.includes(targetPart)))
        found.push(`${source.path} imports ${target}`)
      const [mine, theirs] = [servicePartOf(source.path), servicePartOf(target)]
      const allowed = mine ? (servicePartMayImport[mine] ?? ['core']) : serviceParts
      if (theirs && theirs !== mine && !allowed.includes(theirs))
        found.push(`${source.path} imports ${target}, a sibling`)
    }
  }
  return found
}

function cycle(sources: Source[]): string[] | null {
  const known = new Set(sources.map((source) => source.path))
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => targetOf(source.path, specifier, known)),
    ]),
  )
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

const sources = ['src', 'adapters', 'examples']
  .flatMap((folder) => (existsSync(join(root, folder)) ? filesIn(folder) : []))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

describe('the house', () => {
  it('was read', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  it('has no import that the design forbids', () => {
    expect(violations(sources)).toEqual([])
  })

  it('has no import cycle, types included', () => {
    expect(cycle(sources)).toBeNull()
  })

  it('has no file over 400 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 401).map(({ path }) => path)).toEqual([])
  })
})

describe('the check itself', () => {
  const file = (path: string, text: string): Source => ({ path, text })

  it.each([
    ['the mailbox using the service', file('src/mailbox/x.ts', "import { a } from '../service/index'")],
    ['a type import', file('src/protocol/x.ts', "import type { a } from '../mail/parse'")],
    ['a dynamic import', file('src/mail/x.ts', "const a = await import('../client/client')")],
    ['node in a browser', file('src/client/x.ts', "import { readFile } from 'node:fs'")],
    ['siblings of the service', file('src/service/smtp/x.ts', "import { a } from '../http/app'")],
    ['core using HTTP', file('src/service/core/x.ts', "import { a } from '../http/app'")],
    ['an adapter using an internal', file('adapters/x.ts', "import { a } from '../src/mailbox/cache'")],
    ['a file outside the parts', file('src/stray.ts', '')],
  ])('sees %s', (_what, source) => {
    expect(violations([source])).toHaveLength(1)
  })

  it('sees a cycle through types', () => {
    const a = file('src/mail/a.ts', "import type { B } from './b'")
    const b = file('src/mail/b.ts', "export { c } from './c'")
    const c = file('src/mail/c.ts', "import { a } from './a'")
    expect(cycle([a, b, c])).toEqual(['src/mail/a.ts', 'src/mail/b.ts', 'src/mail/c.ts', 'src/mail/a.ts'])
  })
})
