import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A piece of code in the documentation. */
export interface Block {
  /** The page and the heading above it. */
  readonly place: string
  readonly language: string
  readonly text: string
}

const root = join(import.meta.dirname, '../..')

/** The pages that people wrote for users: README.md and docs/. */
export const pages = (): string[] => {
  const files = readdirSync(root, { withFileTypes: true, recursive: false }).map(({ name }) => name)
  const docs = files.includes('docs')
    ? readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    : []
  return [
    'README.md',
    ...docs.filter((name) => name.endsWith('.md') && name !== 'api.md').map((name) => `docs/${name}`),
  ].sort()
}

/** Languages of code that does something; blocks without one show what is printed. */
const languages = new Set(['ts', 'tsx', 'js', 'sh', 'bash', 'json', 'yaml'])

/** The blocks of a page, in order. */
export function blocksIn(page: string, text: string): Block[] {
  const found: Block[] = []
  let heading = ''
  for (const [, title, language = '', code = ''] of text.matchAll(/^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms)) {
    if (title !== undefined) heading = title
    else if (languages.has(language)) found.push({ place: `${page}, ${heading}`, language, text: code })
  }
  return found
}

/** Every block of code in the documentation. */
export const allBlocks = (): Block[] =>
  pages().flatMap((page) => blocksIn(relative('.', page), readFileSync(join(root, page), 'utf8')))
