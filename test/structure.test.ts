import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Maximum number of lines of a function. */
const maxFunctionLines = 60
/** Functions that are still longer. Divide one, and remove it here. */
const longer = ['service/service.ts']
const minFileLines = 30
/** Maximum share of files with fewer lines than {@link minFileLines}. */
const maxSmallShare = 0.08

/** Ports, and files that a build, a thread or a runtime begins with: they may have any size. */
const entries =
  /(?:^adapters\/[\w.-]+|\/(?:ports|index|bundled|main|css\.d|[\w-]+\.d|[\w-]*thread|[\w-]+-(?:node|web)|mailauth|markdown|nats|imapflow|prom-client))\.tsx?$/

interface Source {
  path: string
  text: string
}

const linesOf = (text: string): number => text.split('\n').length - 1

/** Functions of a file that are longer than {@link maxFunctionLines}. */
function longFunctions({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineAt(node.getStart(file))
      const lines = lineAt(node.end) - first + 1
      if (lines > maxFunctionLines) found.push(`${path}:${first + 1}: ${lines} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const sources = ['src', 'adapters'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({
      path: join(folder, name),
      text: readFileSync(join(root, folder, name), 'utf8'),
    })),
)

describe('the size of things', () => {
  it(`is at most ${maxFunctionLines} lines for a function`, () => {
    expect(sources.length).toBeGreaterThan(500)
    const long = sources.filter((source) => longFunctions(source).length > 0)
    const others = long.filter(({ path }) => !longer.includes(path.replace(/^src\//, '')))
    expect(others.flatMap(longFunctions)).toEqual([])
  })

  it('sees a function that is one line too long', () => {
    const functionOf = (lines: number) => `function long() {${'\n'.repeat(lines - 1)}}\n`
    expect(longFunctions({ path: 'a.ts', text: functionOf(61) })).toEqual(['a.ts:1: 61 lines'])
    expect(longFunctions({ path: 'a.ts', text: functionOf(60) })).toEqual([])
  })

  it(`is at least ${minFileLines} lines for most files`, () => {
    const counted = sources.filter(({ path }) => !entries.test(path))
    const small = counted.filter(({ text }) => linesOf(text) < minFileLines).map(({ path }) => path)
    expect(small.length / counted.length, small.join('\n')).toBeLessThanOrEqual(maxSmallShare)
  })
})
