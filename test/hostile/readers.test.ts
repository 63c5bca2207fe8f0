import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { functionCases } from './growing-inputs'
import { readerCases, unmeasured } from './growing-readers'

const root = resolve(import.meta.dirname, '../..')
const ofMail = /^(?:\.\.\/)+mail(?:\/|$)/

/** The functions of `src/mail/` that a source imports, types left out. */
function readersIn(text: string): string[] {
  const found: string[] = []
  for (const node of ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest).statements) {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue
    const { importClause } = node
    if (!ofMail.test(node.moduleSpecifier.text) || !importClause || importClause.isTypeOnly) continue
    const { namedBindings } = importClause
    if (namedBindings && ts.isNamedImports(namedBindings))
      for (const { name, propertyName, isTypeOnly } of namedBindings.elements)
        if (!isTypeOnly) found.push((propertyName ?? name).text)
  }
  return found
}

/** The names in the first column of the table of ARCHITECTURE.md. */
function tabled(): Set<string> {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = text.split("## Who reads a stranger's bytes")[1]!.split('\n## ')[0]!
  const rows = section
    .split('| function | thread | bound |')[1]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(
    rows.every((row) =>
      row
        .split('|')
        .slice(1, 4)
        .every((cell) => cell.trim() !== ''),
    ),
  ).toBe(true)
  return new Set(rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)))
}

const sources = ['src/service', 'src/mailbox'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
)

describe('the table of who reads a stranger’s bytes', () => {
  it('has each reader that the service or a mailbox imports', () => {
    const known = tabled()
    expect(known.size).toBeGreaterThan(30)
    const missing = sources.flatMap(({ path, text }) =>
      readersIn(text)
        .filter((name) => !known.has(name))
        .map((name) => `${path} imports ${name}: give it a row with its thread and its bound`),
    )
    expect(missing).toEqual([])
  })

  it('names no function that growing inputs do not measure, unless a reason says why', () => {
    const measured = new Set(
      [...functionCases, ...readerCases].flatMap(([name]) => name.split(':')[0]!.match(/\w+/g)),
    )
    const names = [...tabled()]
    expect(names.filter((name) => !measured.has(name) && !(name in unmeasured))).toEqual([])
    expect(Object.keys(unmeasured).filter((name) => measured.has(name) || !names.includes(name))).toEqual([])
  })

  it('is held by a rule that sees imports, and leaves out types', () => {
    expect(readersIn("import { parseMail as read, type ParsedMail } from '../../mail'")).toEqual([
      'parseMail',
    ])
    expect(readersIn("import type { ParsedMail } from '../../mail'")).toEqual([])
    expect(readersIn("import { mailbox } from '../../mailbox'")).toEqual([])
  })
})

describe('the thread that speaks SMTP', () => {
  it('parses no message', () => {
    const { text } = sources.find(({ path }) => path.endsWith('smtp/receiver-thread.ts'))!
    expect(readersIn(text)).toEqual([])
  })
})
