import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pages } from './snippets/blocks'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Pages for users, and those for whoever works on the project. */
const allPages = [
  ...new Set([...pages(), 'docs/api.md', ...readdirSync(root).filter((name) => name.endsWith('.md'))]),
]

/** What a heading is called in a link, as GitHub does it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Links of a page that lead nowhere: `exists` tells of a path from the root, `anchors` what a page has. */
const deadLinks = (page: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, to, anchor]) => {
    const path = to ? join(dirname(page), to) : page
    if (!existsSync(join(root, path))) return [`${page}: ${link}`]
    return anchor === undefined || anchorsOf(path).includes(anchor) ? [] : [`${page}: ${link}`]
  })

/** Where the paths that a page names begin: those of a module are relative to it. */
const roots = ['', 'src', 'src/service', 'test']

/**
 * Paths that a line names as code, and that there are not. One may stand in a folder that the line named before it, and
 * a file may lack its ending.
 */
const missingIn = (line: string): string[] => {
  const within = [...roots]
  const missing: string[] = []
  for (const [, path = ''] of line.matchAll(
    /`((?:[\w.-]+\/)*[\w.-]+(?:\/|\/[\w-]+|\.(?:ts|mjs|md|json)))`/g,
  )) {
    if (/^(restante\/|[A-Z])/.test(path)) continue
    const found = within
      .flatMap((base) => ['', '.ts', '.test.ts'].map((ending) => join(base, path + ending)))
      .find((one) => existsSync(join(root, one)))
    if (found === undefined) missing.push(path)
    else within.push(found)
  }
  return missing
}

const missingPaths = (page: string, text: string): string[] =>
  text
    .replace(/^```.*?^```$/gms, '')
    .split('\n')
    .flatMap(missingIn)
    .map((path) => `${page}: ${path}`)

describe('each page of the documentation', () => {
  it('leads only to what is there', () => {
    expect(deadLinks('docs/x.md', '[a](none.md) [b](../README.md#none) [c](mailbox.md#answer)')).toEqual([
      'docs/x.md: ](none.md)',
      'docs/x.md: ](../README.md#none)',
    ])
    expect(allPages.flatMap((page) => deadLinks(page, read(page)))).toEqual([])
  })

  it('names only files and folders that are there', () => {
    expect(
      missingPaths('x.md', '`base/none.ts`, `src/none/`, `log/change.ts`, `src/mail/`: `mime/`'),
    ).toEqual(['x.md: base/none.ts', 'x.md: src/none/'])
    expect(allPages.flatMap((page) => missingPaths(page, read(page)))).toEqual([])
  })
})
